"""What the parts cost: seconds, megabytes, and what they buy."""

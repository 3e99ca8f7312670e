"""The boxes and sentences of WikiBio."""

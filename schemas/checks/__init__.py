"""What every border is made of: rows as Arrow tables with a versioned footer, rules, and the check of both."""

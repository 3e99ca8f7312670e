"""The parts of every border: rows as Arrow tables with a versioned footer, rules, and the check of both."""

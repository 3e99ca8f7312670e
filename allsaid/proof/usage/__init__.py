"""Words for values, learned from the submitted texts."""

"""Pages of reference: the keys of a mapping, the settings of a configuration."""

"""Texts that are written anew every night, beside those that readers see."""

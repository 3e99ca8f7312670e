"""Documents with coreference chains in CoNLL columns."""

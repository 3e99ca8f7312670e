"""Tokens, numbers, stems, inflection and code pages, for all packages that compare or write words."""

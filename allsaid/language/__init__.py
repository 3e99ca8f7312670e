"""Tokens, numbers, stems, inflection and code pages, for every package that compares or writes words."""

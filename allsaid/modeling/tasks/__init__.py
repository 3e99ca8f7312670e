"""Tasks of models: data sets, vocabularies, and the conversion of tokens to text."""

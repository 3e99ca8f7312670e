"""The commands of `allsaid` about generated texts; each imports what is heavy only when it runs."""

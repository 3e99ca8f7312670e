"""The commands of `allsaid` about dumps and data sets; each imports what is heavy only when it runs."""

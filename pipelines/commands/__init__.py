"""The commands of `allsaid` about dumps and data sets; each imports heavy modules only when it runs."""

"""The commands of `allsaid` that evaluate and compare; each imports what is heavy only when it runs."""

"""The commands of `allsaid` that evaluate and compare; each imports heavy modules only when it runs."""

"""The borders of Allsaid: every column that crosses one is named here and nowhere else."""

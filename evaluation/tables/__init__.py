"""The paper's tables as data: one YAML file each, read by ``evaluation.compare.table``."""

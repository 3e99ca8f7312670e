"""Files: on disk, in object stores, packed."""

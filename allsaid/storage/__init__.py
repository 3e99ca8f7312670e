"""Files on disk, in object stores and in archives."""

"""What every model fulfils, and what several models share."""

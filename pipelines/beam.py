"""Apache Beam without pandas, which it loads where that is installed, to know the types of data frames.

Nothing here gives Beam data frames, and pandas takes half as long to load as Beam. Import this module before Beam.
"""

from allsaid.imports import without

with without("pandas"):
    import apache_beam  # noqa: F401

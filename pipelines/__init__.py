"""From a raw dump to supervised examples in Parquet (Apache Beam; never torch or mlflow)."""

"""A nightly ingest as an Airflow DAG (apache-airflow with apache-airflow-providers-apache-beam).

Airflow and Allsaid live in environments of their own: ``ALLSAID_PYTHON`` is the interpreter where Allsaid is installed.
"""

import os
from datetime import datetime, timedelta

from airflow import DAG
from airflow.providers.apache.beam.operators.beam import BeamRunPythonPipelineOperator

with DAG(
    dag_id="allsaid_nightly",
    schedule="15 2 * * *",
    start_date=datetime(2026, 1, 1),
    catchup=False,
    max_active_runs=1,
    default_args={"retries": 1, "retry_delay": timedelta(minutes=10)},
):
    BeamRunPythonPipelineOperator(
        task_id="ingest",
        runner="FlinkRunner",
        py_file=os.environ["ALLSAID_NIGHTLY"],  # deploy/nightly.py
        py_interpreter=os.environ["ALLSAID_PYTHON"],
        py_requirements=[],
        pipeline_options={
            "input": "s3://kitchen/dumps/*.mmf.gz",
            "output": "s3://kitchen/data",
            "run-date": "{{ ds }}",
            "config": os.environ["ALLSAID_CONFIG"],  # deploy/nightly.yaml
            "keep-snapshots": "7",
            "wait": "30",
            "flink_master": os.environ["FLINK_MASTER"],
        },
    )

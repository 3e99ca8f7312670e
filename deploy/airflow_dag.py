"""The jobs of a YAML file as Airflow DAGs (apache-airflow with its standard provider), such as deploy/jobs.yaml.

A DAG's tasks run one after the other. Each is a command of Allsaid, started by deploy/job.py; its other keys are the
command's options and those of Beam. Airflow and Allsaid live in environments of their own:

    ALLSAID_PYTHON  the interpreter where Allsaid is installed
    ALLSAID_JOB     the path of deploy/job.py
    ALLSAID_JOBS    the path of the YAML file
"""

import os
import shlex
from datetime import datetime, timedelta
from pathlib import Path

import yaml
from airflow.providers.standard.operators.bash import BashOperator
from airflow.sdk import DAG, Context, chain
from airflow.sdk.exceptions import AirflowFailException, AirflowSkipException

START = [os.environ["ALLSAID_PYTHON"], os.environ["ALLSAID_JOB"]]


def command_line(options: dict[str, object]) -> str:
    """Return the shell's command line of a task; a list is an option given several times."""
    words = []
    for name, given in options.items():
        for value in given if isinstance(given, list) else [given]:
            shown = str(value).lower() if isinstance(value, bool) else str(value)
            words.append(f"--{name}={shown}")
    return shlex.join([*START, *words])


class Command(BashOperator):
    """A command that is tried again only after exit code 1: no second try mends what the other codes report.

    Airflow's own answer to an exit code is to skip the task, after which the DAG counts as successful.
    """

    def execute(self, context: Context) -> object:
        try:
            return super().execute(context)
        except AirflowSkipException as skipped:
            raise AirflowFailException(
                "A gate is broken or an option is wrong (exit code 2), or the results are there, but a part of the "
                "input could not be read or a training failed (exit code 3). The log above says which."
            ) from skipped


for name, job in yaml.safe_load(Path(os.environ["ALLSAID_JOBS"]).read_text(encoding="utf-8")).items():
    with DAG(
        dag_id=name,
        schedule=job["schedule"],
        start_date=datetime(2026, 1, 1),
        catchup=False,
        max_active_runs=1,
        default_args={"retries": 1, "retry_delay": timedelta(minutes=10)},
    ) as dag:
        tasks = [
            Command(
                task_id=f"{number}_{options['command'].replace(' ', '_')}",
                bash_command=command_line(options) + " ",  # the space: Airflow takes a word that ends in .sh for a file
                cwd=job.get("folder"),
                append_env=True,
                skip_on_exit_code=[2, 3],
            )
            for number, options in enumerate(job["tasks"], start=1)
        ]
        chain(*tasks)
    globals()[name] = dag  # where Airflow finds it

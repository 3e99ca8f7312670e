"""The model registry: resolves models, and decides which version is the champion.

A new version is registered as ``challenger``. It becomes ``champion`` only by the rule of promotion
(`training.tracking.promotion`). The deciding figures and the decision are tags of the version.
"""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from allsaid import scratch
from allsaid.redaction import public
from schemas.checks.json_value import JsonValue
from schemas.errors import UserError
from training.tracking import connection
from training.tracking.delivery import CHALLENGER
from training.tracking.promotion import Decision, decide, deciding_scores, hold_back
from training.tracking.spool import SPOOL_NAME, Cursor, load_cursors, read_events

if TYPE_CHECKING:  # tasks need PyTorch, which `allsaid promote` does without
    from allsaid.modeling.tasks.contract import Scores, Task
    from training.tracking.connection import MlflowClient, ModelVersion

CHAMPION = "champion"
WAITING = "waiting"  # decision on a version that is better on dev, but not compared by a nightly run yet
CONFIG = "config.yaml"  # in a training run's artifacts and in a model folder
LONGEST_NAME = 256  # characters of MLflow's column
_REGISTERED = re.compile(r"models:/([^/@]+)(?:@([^/@]+)|/([0-9]+))")  # name, alias, version


@dataclass(frozen=True)
class ResolvedModel:
    name: str
    version: str  # "" for a plain folder
    folder: Path  # of the model's files, on this machine
    run_id: str = ""  # of the training run in MLflow; "": unknown
    model_id: str = ""  # of the logged model; "": the version has only a run


def check_name(name: str) -> None:
    """Raise UserError for a model name that MLflow refuses, or that ``models:/NAME/VERSION`` can't contain."""
    if not name.strip():
        raise UserError("--name is empty. Give the name to register the model under.")
    if re.search(r"[/:@?\x00-\x1f\x7f]", name) or name == "." or name.startswith(".."):
        raise UserError(
            f"--name {name!r}: no model can be registered under it. Leave out / : @ ? and control characters, and "
            "don't begin with two dots."
        )
    if len(name) > LONGEST_NAME:
        raise UserError(f"--name has {len(name)} characters, but a model's name has at most {LONGEST_NAME}.")


def resolve(uri: str, tracking_uri: str | None = None) -> ResolvedModel:
    """Find a model: ``models:/NAME@ALIAS``, ``models:/NAME/VERSION`` or the path of a model folder.

    An alias is looked up once, so that the version stays the same if the alias moves. A registered model is copied to
    a temporary folder that is removed when this process ends. Raises UserError.
    """
    if not uri.startswith("models:"):
        folder = Path(uri)
        if not _is_folder(folder):
            raise UserError(
                f"There is no model folder {uri}. Give the path of one, models:/NAME@champion or models:/NAME/VERSION."
            )
        cursors = load_cursors(folder.resolve().parent)  # of the run folder that training wrote
        return ResolvedModel(folder.resolve().name, "", folder, cursors[-1].run_id if cursors else "")
    parts = _REGISTERED.fullmatch(uri)
    if parts is None:
        raise UserError(f"'{uri}' names no model. Write models:/NAME@ALIAS, models:/NAME/VERSION or a folder's path.")
    name, alias, version = parts.groups()
    client, address = _registry(tracking_uri)
    with connection.plain_faults(address):
        registered = _find(client, name, alias, version)
        folder = scratch.folder("model")
        files = connection.download(f"models:/{name}/{registered.version}", folder)
        _check_files(files, client, registered)
    logged = re.fullmatch(r"models:/(m-[^/]+)", registered.source or "")  # `found.model_id` is None on sqlite
    return ResolvedModel(name, str(registered.version), files, registered.run_id or "", logged[1] if logged else "")


def _check_files(files: Path, client: MlflowClient, registered: ModelVersion) -> None:
    """Raise UserError, with the place in MLflow's store, if copied files of a version are missing or changed."""
    from allsaid.modeling.saved.folder_files import check_hashes  # it loads PyTorch

    try:
        check_hashes(files)
        if not (files / CONFIG).exists():  # MLflow copies nothing, without an error, from an empty folder
            raise UserError(f"{CONFIG} is missing.")
    except UserError as fault:
        store = public(client.get_run(registered.run_id).info.artifact_uri) if registered.run_id else registered.source
        raise UserError(
            f"Version {registered.version} of '{registered.name}' can't be used: its files in {store} are missing or "
            f"not those that training wrote. {fault} Restore them, or give another version; "
            f"`allsaid promote {registered.name} VERSION` makes one the champion."
        ) from fault


def pin(uri: str) -> str:
    """Return the address of the version that an alias points to now; any other address unchanged."""
    parts = _REGISTERED.fullmatch(uri)
    if parts is None or not parts[2]:
        return uri
    client, address = _registry()
    with connection.plain_faults(address):
        return f"models:/{parts[1]}/{_find(client, parts[1], parts[2], None).version}"


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError:  # an invalid name
        return False


def config_of(run_id: str) -> str:
    """Return the configuration (YAML) of a training run in MLflow; for a grid, that of its best child."""
    client, address = _registry()
    with connection.plain_faults(address):
        with connection.known_run(address, run_id):
            names = [item.path for item in client.list_artifacts(run_id)]
        if CONFIG not in names:
            raise UserError(f"Run {run_id} holds no {CONFIG}. Give a run of `allsaid train`.")
        with tempfile.TemporaryDirectory() as folder:
            return connection.download(f"runs:/{run_id}/{CONFIG}", Path(folder)).read_text(encoding="utf-8")


def _registry(uri: str | None = None) -> tuple[MlflowClient, str]:
    """Return a client and its address; reading never makes a new database."""
    uri = connection.for_reading(uri)
    return connection.connect(uri), uri


def _find(client: MlflowClient, name: str, alias: str | None, version: str | None) -> ModelVersion:
    """Return the version of a model; raise UserError with a list of those that exist."""
    try:
        model = client.get_registered_model(name)
    except connection.mlflow_module().MlflowException as fault:
        if not connection.is_missing(fault):
            raise
        names = sorted(model.name for model in client.search_registered_models())
        raise UserError(f"No model is registered as '{name}'. There are: {', '.join(names) or 'none yet'}.") from fault
    aliases = {key: str(value) for key, value in model.aliases.items()}
    if alias is not None and alias not in aliases:
        known = ", ".join(f"@{key} (version {value})" for key, value in sorted(aliases.items()))
        remedy = f" `allsaid promote {name} VERSION` makes a version champion by hand." if alias == CHAMPION else ""
        raise UserError(f"Model '{name}' has no alias '{alias}'. There are: {known or 'none yet'}.{remedy}")
    number = str(version) if alias is None else aliases[alias]
    try:
        return client.get_model_version(name, number)
    except connection.mlflow_module().MlflowException as fault:
        if not connection.is_missing(fault):
            raise
        newest = max((int(other.version) for other in model.latest_versions), default=None)
        remedy = f"The newest is {newest}." if newest else "It has none yet."
        raise UserError(f"Model '{name}' has no version {number}. {remedy}") from fault


def consider(
    name: str,
    version: str,
    dev_fingerprint: str,
    search: Mapping[str, JsonValue],
    scores: Scores,
    task: Task,
    rescore: Callable[[Path], Scores] | None = None,
    uri: str | None = None,
    keep_champion: bool = False,
) -> Decision:
    """Decide on the promotion of a version: tag its figures, apply floors and rule, move the alias, tag the decision.

    With ``keep_champion`` the alias stays at a champion, and a better version is tagged as waiting.

    Args:
        dev_fingerprint, search: the dev set and the search settings of ``scores``. If the champion's differ,
            ``rescore`` measures the champion again from its folder; without it the version stays challenger.
        task: the model's task, with the deciding figures (``deciding``) and the rule.
        uri: of the tracking server; ``connection.tracking_uri()`` by default.
    """
    client, address = _registry(uri)
    yardstick = {"dev_fingerprint": dev_fingerprint, "search": json.dumps(dict(search), sort_keys=True)}
    with connection.plain_faults(address):
        _tag(client, name, version, {**yardstick, **deciding_scores(scores, task)})
        champion = _champion(client, name)
        if champion is not None and str(champion.version) == version:
            decision = Decision(True, "It is the champion already.")
        elif (refusal := hold_back(scores, name, version)) is not None:
            decision = refusal
        elif champion is None:
            decision = decide(scores, None, task)
        else:
            decision = _compare_with_champion(client, version, champion, yardstick, scores, task, rescore, address)
        state = CHAMPION if decision.promote else CHALLENGER
        if decision.promote and keep_champion and champion is not None and str(champion.version) != version:
            state = WAITING
            by_hand = f"`allsaid promote {name} {version}` makes it champion by hand."
            decision = Decision(False, f"{decision.reason} It waits for a nightly run; {by_hand}")
        if decision.promote:
            _move_alias(client, name, version)
        _tag(client, name, version, {"decision": state})
        _tag(client, name, version, {"reason": decision.reason})
    return decision


def _compare_with_champion(
    client: MlflowClient,
    version: str,
    champion: ModelVersion,
    yardstick: dict[str, str],
    scores: Scores,
    task: Task,
    rescore: Callable[[Path], Scores] | None,
    uri: str,
) -> Decision:
    """Compare with the champion's figures, measured again if they are of another dev set or search."""
    name, number = champion.name, champion.version
    tags = champion.tags
    keys = task.deciding
    if all(tags.get(key) == value for key, value in yardstick.items()) and all(key in tags for key in keys):
        return decide(scores, {key: float(tags[key]) for key in keys}, task)
    if rescore is None:
        return Decision(
            False,
            f"It stays challenger: the champion, version {number}, was measured on another dev set or with another "
            f"search, so the two can't be compared here. `allsaid promote {name} {version}` makes it champion by hand.",
        )
    try:
        champion_scores = rescore(resolve(f"models:/{name}/{number}", uri).folder)
    except UserError as fault:
        return Decision(
            False,
            f"It stays challenger: the champion, version {number}, can't be measured again. {fault} "
            f"`allsaid promote {name} {version}` makes the new one champion by hand.",
        )
    _tag(client, name, str(number), {**yardstick, **deciding_scores(champion_scores, task)})
    return decide(scores, champion_scores, task)


def promote(name: str, version: str, why: str = "Promoted by hand") -> str:
    """Make any version champion, by hand unless ``why`` says otherwise; return a sentence on the change."""
    client, address = _registry()
    with connection.plain_faults(address):
        registered = _find(client, name, None, version)
        before = _champion(client, name)
        if before is not None and before.version == registered.version:
            return f"Version {version} of '{name}' is the champion already."
        reason = why + (f"; version {before.version} was the champion." if before else ".")
        _move_alias(client, name, version)
        _tag(client, name, version, {"decision": CHAMPION, "reason": reason})
    return f"Version {version} of '{name}' is the champion now. {reason}"


def settle(run_dir: Path, cursor: Cursor, uri: str, rescore: Callable[[Path], Scores] | None) -> Decision | None:
    """Decide once on the promotion of a delivered run's model, by the scores in its spool; None without a model."""
    events = [event for event, _ in read_events(run_dir / SPOOL_NAME, 0) if event["event"] in ("params", "model")]
    models = [event for event in events if event["event"] == "model"]
    params = {key: value for event in events for key, value in event.get("values", {}).items()}
    if not cursor.model_version or not models or models[-1]["measured"] is None:
        return None
    name, version, measured = cursor.model_name, cursor.model_version, models[-1]["measured"]
    client, address = _registry(uri)
    with connection.plain_faults(address):
        tags = client.get_model_version(name, version).tags
    if "reason" in tags:
        return Decision(tags["decision"] == CHAMPION, tags["reason"])
    from allsaid.modeling.tasks.choose import task_of_run  # it loads PyTorch

    needed = ("dev_fingerprint", "search", "scores", "keep_champion")
    if lacking := [key for key in needed if key not in measured]:
        raise UserError(
            f"The model in {run_dir / SPOOL_NAME} has no {lacking[0]}. If another version of Allsaid wrote it, train "
            "the model again."
        )
    dev_fingerprint, search, scores, keep = (measured[key] for key in needed)
    return consider(name, version, dev_fingerprint, search, scores, task_of_run(params), rescore, uri, keep)


def _champion(client: MlflowClient, name: str) -> ModelVersion | None:
    number = client.get_registered_model(name).aliases.get(CHAMPION)
    return None if number is None else client.get_model_version(name, str(number))


def _move_alias(client: MlflowClient, name: str, version: str) -> None:
    """Make ``version`` champion, and challenger no longer."""
    client.set_registered_model_alias(name, CHAMPION, version)
    if str(client.get_registered_model(name).aliases.get(CHALLENGER)) == version:
        client.delete_registered_model_alias(name, CHALLENGER)


def _tag(client: MlflowClient, name: str, version: str, tags: Mapping[str, str | float]) -> None:
    for key, value in tags.items():
        client.set_model_version_tag(name, version, key, public(str(value)))

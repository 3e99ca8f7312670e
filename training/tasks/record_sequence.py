"""The view of a user's table as sequences: read as agendas are, measured as records."""

from __future__ import annotations

from training.config import DataConfig
from training.data.copying import Vocabularies
from training.data.dataset import DataSet
from training.tasks import agenda_sequence
from training.tasks.agenda_sequence import BORDERS as BORDERS
from training.tasks.agenda_sequence import JUDGE as JUDGE
from training.tasks.agenda_sequence import collate as collate
from training.tasks.agenda_sequence import companions as companions
from training.tasks.agenda_sequence import encode as encode
from training.tasks.agenda_sequence import examples as examples
from training.tasks.agenda_sequence import own_ids as own_ids
from training.tasks.agenda_sequence import places as places
from training.tasks.agenda_sequence import prompts as prompts
from training.tasks.agenda_sequence import protocol as protocol
from training.tasks.agenda_sequence import show as show
from training.tasks.agenda_sequence import words as words
from training.tasks.record import DECIDING as DECIDING
from training.tasks.record import FIGURES as FIGURES
from training.tasks.record import background as background
from training.tasks.record import brief as brief
from training.tasks.record import checks as checks
from training.tasks.record import score as score
from training.tasks.record import with_full_stop


def build_vocabularies(data: DataSet, config: DataConfig) -> Vocabularies:
    """Those of the view of agendas, with a full stop."""
    found: Vocabularies = with_full_stop(agenda_sequence.build_vocabularies(data, config), data.mapping())
    return found

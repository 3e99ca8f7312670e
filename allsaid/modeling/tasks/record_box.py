"""The view of a user's table as boxes: read like agendas, measured like records."""

from __future__ import annotations

from allsaid.modeling.config import DataConfig
from allsaid.modeling.data.dataset import DataSet
from allsaid.modeling.tables.box_table import Vocabularies
from allsaid.modeling.tasks import agenda_box
from allsaid.modeling.tasks.agenda_box import BORDERS as BORDERS
from allsaid.modeling.tasks.agenda_box import collate as collate
from allsaid.modeling.tasks.agenda_box import companions as companions
from allsaid.modeling.tasks.agenda_box import encode as encode
from allsaid.modeling.tasks.agenda_box import examples as examples
from allsaid.modeling.tasks.agenda_box import own_ids as own_ids
from allsaid.modeling.tasks.agenda_box import places as places
from allsaid.modeling.tasks.agenda_box import prompts as prompts
from allsaid.modeling.tasks.agenda_box import protocol as protocol
from allsaid.modeling.tasks.agenda_box import show as show
from allsaid.modeling.tasks.agenda_box import words as words
from allsaid.modeling.tasks.record import DECIDING as DECIDING
from allsaid.modeling.tasks.record import FIGURES as FIGURES
from allsaid.modeling.tasks.record import background as background
from allsaid.modeling.tasks.record import brief as brief
from allsaid.modeling.tasks.record import checks as checks
from allsaid.modeling.tasks.record import score as score
from allsaid.modeling.tasks.record import with_full_stop


def build_vocabularies(data: DataSet, config: DataConfig) -> Vocabularies:
    """Build the vocabularies of the view of agendas, with a full stop."""
    found: Vocabularies = with_full_stop(agenda_box.build_vocabularies(data, config), data.mapping())
    return found

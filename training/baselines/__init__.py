"""Systems that generate texts without training: one module each, with the names of :data:`BASELINES`."""

from allsaid.modeling.systems import Family

BASELINES = Family("allsaid.baselines", __name__, ("TASK", "check", "texts"), "baseline", "the baseline")

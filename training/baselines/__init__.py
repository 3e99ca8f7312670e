"""Systems that write texts without training: a module each, with the names of :data:`BASELINES`."""

from allsaid.modeling.systems import Family

BASELINES = Family("allsaid.baselines", __name__, ("TASK", "check", "texts"), "baseline", "the baseline")

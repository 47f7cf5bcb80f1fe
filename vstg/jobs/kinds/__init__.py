"""The kinds of runs, one module each; ``docs/extending.md`` shows how to add one."""

from vstg.jobs.kind import register
from vstg.jobs.kinds.comparison import ComparisonKind
from vstg.jobs.kinds.discovery import DiscoveryKind
from vstg.jobs.kinds.fit import FitKind
from vstg.jobs.kinds.reproduction import ReproductionKind
from vstg.jobs.kinds.search import SearchKind
from vstg.jobs.kinds.stability import StabilityKind

# In the order in which users are shown them.
register(DiscoveryKind())
register(SearchKind())
register(StabilityKind())
register(ComparisonKind())
register(FitKind())
register(ReproductionKind())

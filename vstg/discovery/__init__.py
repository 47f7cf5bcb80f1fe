"""Find which variables matter and which tasks belong together, in one call."""

from vstg.discovery.certainty import Certainty
from vstg.discovery.discovering import discover
from vstg.discovery.result import Discovery, DiscoveryProgress, FoundGroup

__all__ = ["Certainty", "Discovery", "DiscoveryProgress", "FoundGroup", "discover"]

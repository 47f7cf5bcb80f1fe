"""Checks of a table before it is fitted."""

from vstg.tables.checking.report import Finding, Report, report

__all__ = ["Finding", "Report", "report"]

"""Figures of runs: searches, paths, comparisons and the reproduction."""

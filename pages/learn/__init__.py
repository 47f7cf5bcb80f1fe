"""The lessons: words in ``words/``, pictures from ``vstg.plots.lessons``."""

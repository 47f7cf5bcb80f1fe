"""What the lessons compute: small problems, worked out while one looks.

Every function takes plain settings and gives a frozen record; figures are drawn from
the records by :mod:`vstg.plots.lessons`.
"""

"""The numbers that the paper printed: mean and standard deviation of ten repetitions.

Keys are (data set, measure), then the column. Error rates are in percent.
"""

from typing import NamedTuple


class Printed(NamedTuple):
    """One cell of a table; ``is_best`` if it was printed in bold."""

    mean: float
    sd: float
    is_best: bool = False


PrintedTable = dict[tuple[str, str], dict[str, Printed]]

TABLE1_COLUMNS = ("lasso", "l1_trace", "mmtfl", "go_mtl", "vstg_k1", "vstg_k3")
TABLE2_COLUMNS = ("lasso", "l1_trace", "mmtfl", "go_mtl", "vstg_opt")


def _row(columns: tuple[str, ...], best: str, *numbers: float) -> dict[str, Printed]:
    pairs = zip(columns, numbers[::2], numbers[1::2], strict=True)
    return {name: Printed(mean, sd, name == best) for name, mean, sd in pairs}


# fmt: off
TABLE1: PrintedTable = {
    ("syn1", "rmse"): _row(
        TABLE1_COLUMNS, "vstg_k1", 1.4625, 0.1349, 1.1585, 0.0180, 1.1384, 0.0257,
        1.0935, 0.0185, 1.0456, 0.0228, 1.0766, 0.0176),
    ("syn1", "ree"): _row(
        TABLE1_COLUMNS, "vstg_k1", 0.4155, 0.0595, 0.2249, 0.0200, 0.2089, 0.0169,
        0.1737, 0.0165, 0.1226, 0.0149, 0.1536, 0.0128),
    ("syn2", "rmse"): _row(
        TABLE1_COLUMNS, "", 1.6811, 0.1146, 1.2639, 0.0418, 1.2377, 0.0401,
        1.1509, 0.0267, 1.1294, 0.0332, 1.1314, 0.0275),
    ("syn2", "ree"): _row(
        TABLE1_COLUMNS, "", 0.3703, 0.0441, 0.2040, 0.0169, 0.1921, 0.0152,
        0.1488, 0.0122, 0.1365, 0.0135, 0.1376, 0.0091),
    ("syn3", "rmse"): _row(
        TABLE1_COLUMNS, "vstg_k3", 1.5303, 0.0483, 1.2244, 0.0320, 1.1797, 0.0287,
        1.1129, 0.0250, 1.1086, 0.0192, 1.1020, 0.0226),
    ("syn3", "ree"): _row(
        TABLE1_COLUMNS, "vstg_k3", 0.3801, 0.0328, 0.2262, 0.0211, 0.2001, 0.0168,
        0.1565, 0.0148, 0.1538, 0.0123, 0.1486, 0.0121),
    ("syn4", "rmse"): _row(
        TABLE1_COLUMNS, "vstg_k3", 1.7380, 0.1032, 1.2673, 0.0312, 1.2271, 0.0309,
        1.1278, 0.0235, 1.1139, 0.0236, 1.1085, 0.0214),
    ("syn4", "ree"): _row(
        TABLE1_COLUMNS, "vstg_k3", 0.2729, 0.0365, 0.1419, 0.0125, 0.1302, 0.0111,
        0.0945, 0.0087, 0.0895, 0.0094, 0.0868, 0.0083),
}
TABLE2: PrintedTable = {
    ("school", "rmse"): _row(
        TABLE2_COLUMNS, "vstg_opt", 12.0483, 0.1738, 10.5041, 0.1432, 10.1303, 0.1291,
        10.1924, 0.1331, 9.9475, 0.1189),
    ("parkinsons", "rmse"): _row(
        TABLE2_COLUMNS, "", 2.9177, 0.0960, 1.0481, 0.0243, 1.1079, 0.0182,
        1.0231, 0.0285, 1.0076, 0.0188),
    ("computer", "rmse"): _row(
        TABLE2_COLUMNS, "vstg_opt", 2.3119, 0.3997, 4.9493, 2.1592, 1.7525, 0.1237,
        1.9067, 0.1864, 1.6866, 0.1463),
    ("mnist", "er"): _row(
        TABLE2_COLUMNS, "vstg_opt", 13.0200, 0.7084, 17.9800, 1.7574, 12.6000, 0.8641,
        12.8400, 1.2989, 11.7000, 1.4461),
    ("usps", "er"): _row(
        TABLE2_COLUMNS, "", 12.8800, 1.5061, 16.0200, 1.2874, 11.3600, 1.1462,
        12.9000, 1.0842, 12.1800, 1.3547),
}
# fmt: on

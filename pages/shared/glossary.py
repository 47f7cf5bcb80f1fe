"""The terms of the dashboard, each explained once; hover texts quote them."""

TERMS: dict[str, str] = {
    "task": (
        "One prediction problem with its own rows and target, such as one school or "
        "one patient."
    ),
    "variable": "One input of the model: a column of every task's data.",
    "basis": (
        "A pattern of weights over the variables, a column of U. Tasks combine bases."
    ),
    "group": (
        "Tasks that use the same bases. Groups overlap where they share some bases."
    ),
    "W": "The coefficients: one row per variable, one column per task. W = U·V.",
    "U": (
        "Which variables make up each basis: one row per variable, one column per "
        "basis."
    ),
    "V": "Which bases each task uses: one row per basis, one column per task.",
    "K": "The number of bases: the columns of U and the rows of V.",
    "k": (
        "How many bases a task can combine before the penalty favours sparsity. k = 1 "
        "makes V as sparse as possible; a larger k lets tasks share related bases, so "
        "that groups overlap more."
    ),
    "γ1": "Strength of the penalty on single entries of U. Larger: more exact zeros.",
    "γ2": (
        "Strength of the penalty on whole rows of U. Larger: more variables are left "
        "out of every task."
    ),
    "μ": (
        "Strength of the penalty on V. Larger: tasks use fewer bases, with smaller "
        "weights."
    ),
    "cut": (
        "Entries of U and V that are smaller than this share of the largest one of "
        "their basis or task are set to zero after the fit: small entries are mostly "
        "noise."
    ),
    "relax": (
        "The share of the penalties that the refit keeps: 1 keeps the fit as it is, 0 "
        "fits the remaining entries without shrinkage."
    ),
    "refit": (
        "Fit the entries that are left once more, without penalties. The penalties "
        "choose variables and groups, but they also shrink every coefficient; the "
        "refit undoes the shrinkage."
    ),
    "frequency": "How often a variable is kept on random halves of the rows.",
    "cohesion": (
        "How often two tasks of a group are grouped together on random halves of the "
        "rows."
    ),
    "noise": (
        "The standard deviation of the part of the target that no model can predict. "
        "It is the lowest test error that can be expected."
    ),
    "test error": (
        "The error on rows that the fit has not seen: root mean squared error (RMSE) "
        "for numbers, the mean absolute error for numbers with outliers, the mean "
        "deviance for counts, the share of wrong labels for classes; the mean over the "
        "tasks, in the units of the table."
    ),
    "REE": (
        "Relative estimation error: how far W is from the true W*, relative to the "
        "size of W*. Zero is perfect."
    ),
    "agreement": (
        "How well the groups match the true ones: 1 is perfect, 0 is what chance gives."
    ),
    "objective": "What the solver minimises: the loss plus the penalties, eq. (6).",
    "one standard error": (
        "The sparsest setting whose error is within one standard error of the lowest: "
        "a simpler model that is not clearly worse. Sparse means few variables, then "
        "few coefficients, on average over the folds; its γ can be smaller where K, k, "
        "μ or the cut differ."
    ),
}

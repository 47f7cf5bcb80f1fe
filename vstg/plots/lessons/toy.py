"""Lesson 2: U, V and W as tables whose entries can be clicked."""

from html import escape

from vstg.data import Array
from vstg.lessons.toy import Toy
from vstg.plots.lessons.player import Words
from vstg.plots.palette import FAINT, group_letter, group_style

SIGN = {0.0: "", 1.0: "+1", -1.0: "−1"}

NONE = f"background:{FAINT}"  # a task in no group


def toy_html(toy: Toy, focus: tuple[int, int], words: Words) -> str:
    """V above W and U to its left, as one multiplies matrices on paper."""
    corner = f'<div class="toy-note">{escape(words["hint"])}</div>'
    return (
        f'<div class="toy">{corner}{_factor_V(toy, focus, words)}'
        f"{_factor_U(toy, focus, words)}{_product(toy, focus, words)}</div>"
    )


def _factor_U(toy: Toy, focus: tuple[int, int], words: Words) -> str:
    rows = []
    for i, row in enumerate(toy.U):
        name = f"x<sub>{i + 1}</sub>"
        mark = "" if row.any() else ' class="out"'
        cells = [
            _button("U", i, r, float(value), i == focus[0], words)
            for r, value in enumerate(row)
        ]
        rows.append(f"<tr{mark}><th>{name}</th>{''.join(cells)}</tr>")
    heads = "".join(f"<th>b<sub>{r + 1}</sub></th>" for r in range(toy.U.shape[1]))
    return _table("U", f"<tr><th></th>{heads}</tr>", rows, words["U"])


def _factor_V(toy: Toy, focus: tuple[int, int], words: Words) -> str:
    colours = _group_of(toy)
    heads = "".join(
        f'<th><i style="{group_style(g) if g is not None else NONE}">'
        f"{group_letter(g) if g is not None else '–'}</i>t<sub>{j + 1}</sub></th>"
        for j, g in enumerate(colours)
    )
    rows = []
    for r, row in enumerate(toy.V):
        cells = [
            _button("V", r, j, float(value), j == focus[1], words)
            for j, value in enumerate(row)
        ]
        rows.append(f"<tr><th>b<sub>{r + 1}</sub></th>{''.join(cells)}</tr>")
    return _table("V", f"<tr><th></th>{heads}</tr>", rows, words["V"])


def _product(toy: Toy, focus: tuple[int, int], words: Words) -> str:
    rows = []
    for i, row in enumerate(toy.W):
        cells = [
            _button("W", i, j, float(value), (i, j) == focus, words)
            for j, value in enumerate(row)
        ]
        rows.append(f"<tr><th>x<sub>{i + 1}</sub></th>{''.join(cells)}</tr>")
    heads = "".join(f"<th>t<sub>{j + 1}</sub></th>" for j in range(toy.W.shape[1]))
    return _table("W", f"<tr><th></th>{heads}</tr>", rows, words["W"])


def _group_of(toy: Toy) -> list[int | None]:
    found: list[int | None] = [None] * toy.V.shape[1]
    proper = [group for group in toy.groups if not group.empty]
    for number, group in enumerate(proper):
        for j in group.tasks:
            found[j] = number
    return found


def _button(
    matrix: str, row: int, column: int, value: float, marked: bool, words: Words
) -> str:
    kind = "pos" if value > 0 else "neg" if value < 0 else "zero"
    strength = min(abs(value), 2.0) / 2.0
    text = SIGN.get(value) if matrix != "W" else (f"{value:g}" if value else "")
    label = words["cell"].format(
        matrix=matrix, row=row + 1, column=column + 1, value=f"{value:g}"
    )
    focus = " focus" if marked else ""
    return (
        f'<td><button type="button" class="{kind}{focus}" style="--s:{strength:.2f}" '
        f'data-cell="{matrix},{row},{column}" aria-label="{escape(label)}">'
        f"{(text or '').replace('-', '−')}</button></td>"
    )


def _table(name: str, head: str, rows: list[str], caption: str) -> str:
    return (
        f'<table class="toy-{name}"><caption>{escape(caption)}</caption>'
        f"<thead>{head}</thead><tbody>{''.join(rows)}</tbody></table>"
    )


def formula(toy: Toy, focus: tuple[int, int]) -> str:
    """w_ij = u_i1 v_1j + … with numbers, as one line of text."""
    i, j = focus
    row: Array = toy.U[i]
    terms = " + ".join(
        f"({u:g})·({v:g})" for u, v in zip(row, toy.V[:, j], strict=True)
    )
    value = f"w{i + 1}{j + 1} = {terms} = {toy.W[i, j]:g}"
    return value.replace("-", "−")

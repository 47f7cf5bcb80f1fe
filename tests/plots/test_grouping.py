"""Pictures of groups: overlap is visible, names are escaped."""

import re

import numpy as np

from vstg.inspection import task_groups
from vstg.plots import (
    basis_names,
    group_letter,
    membership_frame,
    membership_html,
    overlap_frame,
    overlap_html,
)

V = np.array([[1.0, 0.0, 1.0, 0.0], [0.0, 2.0, 2.0, 0.0]])
TASKS = ["a", "b", "c", "d"]


def test_membership_orders_tasks_by_group_and_shows_shared_bases():
    frame = membership_frame(task_groups(V), TASKS, basis_names(2))
    assert list(frame.columns) == ["a", "c", "b", "d"]
    used = frame.notna()
    assert used.loc["b1"].tolist() == [True, True, False, False]
    assert frame.loc["b1"].nunique() == 2  # two groups share the first basis
    assert not used["d"].any()


def test_overlaps_count_common_bases():
    groups = [group for group in task_groups(V) if not group.empty]
    frame = overlap_frame(groups)
    assert frame.loc["A", "B"] == 1
    assert frame.loc["A", "C"] == 0
    html = overlap_html(frame, "caption")
    assert len(re.findall("<td></td>", html)) == 2


def test_pictures_of_any_result(factors):
    U, V = factors
    groups = task_groups(V, U=U)
    names = [f"task{j}" for j in range(V.shape[1])]
    frame = membership_frame(groups, names, basis_names(len(V)))
    html = membership_html(frame, "caption")
    body = html.split("<tbody>")[1]
    assert body.count("<tr>") == len(V)
    assert body.count("background:") == int(frame.notna().to_numpy().sum())
    proper = [group for group in groups if not group.empty]
    assert overlap_html(overlap_frame(proper), "caption").count("<tr>") == 1 + len(
        proper
    )


def test_names_are_escaped():
    frame = membership_frame(task_groups(V), ["<script>", "b", "c", "d"], ["b1", "b2"])
    html = membership_html(frame, "caption")
    assert "<script>" not in html
    assert "&lt;script&gt;" in html


def test_letters_go_on_after_z():
    assert [group_letter(n) for n in (0, 25, 26, 51, 52, 702)] == [
        "A", "Z", "AA", "AZ", "BA", "AAA",
    ]  # fmt: skip


def test_of_many_tasks_some_are_named_and_groups_have_their_letters():
    V = np.repeat(np.eye(3), 30, axis=1)
    names = [f"t{j}" for j in range(90)]
    frame = membership_frame(task_groups(V), names, basis_names(3))
    head = membership_html(frame, "caption").split("<tbody>")[0]
    spans = [int(n) for n in re.findall(r'<th colspan="(\d+)" title="t', head)]
    assert sum(spans) == 90
    assert len(spans) <= 32  # each has room to be read
    assert re.findall(r'<td colspan="30"[^>]*>(\w)</td>', head) == ["A", "B", "C"]


def test_few_tasks_are_all_named_and_need_no_letters_above():
    frame = membership_frame(task_groups(V), TASKS, basis_names(2))
    head = membership_html(frame, "caption").split("<tbody>")[0]
    assert re.findall(r">(\w)</th>", head) == ["a", "c", "b", "d"]
    assert "colspan" not in head


def test_a_square_of_many_groups_scrolls_in_its_place():
    V = np.eye(13)
    wide = overlap_html(overlap_frame(task_groups(V[:12, :12])), "caption")
    dense = overlap_html(overlap_frame(task_groups(V)), "caption")
    assert wide.startswith('<div class="vstg-scroll">')
    assert "vstg-dense" in dense
    assert "vstg-dense" not in wide


def test_long_names_are_cut_and_whole_in_the_hint():
    name = "a task with a name that does not end"
    html = membership_html(
        membership_frame(task_groups(V), [name, "b", "c", "d"], ["b1", "b2"]), "caption"
    )
    assert f'title="{name}">a task with a…</th>' in html

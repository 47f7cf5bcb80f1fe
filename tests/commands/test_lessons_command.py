"""``vstg lessons export``: files for a class, or a reason why not."""


def test_named_lessons_are_written_with_a_list(vstg, tmp_path):
    code, out, err = vstg("lessons export factors -o files")
    assert (code, err) == (0, "")
    assert "index.html, factors.html" in out
    assert 'href="factors.html"' in (tmp_path / "files/index.html").read_text("utf-8")
    code, _, err = vstg("lessons export factors -o files")
    assert code == 2
    assert "--force" in err
    assert vstg("lessons export factors -o files --force")[0] == 0


def test_unknown_lesson_names_those_there_are(vstg, tmp_path):
    code, _, err = vstg("lessons export nope -o files")
    assert code == 2
    assert "'nope'" in err
    assert "why-share" in err
    assert not (tmp_path / "files").exists()
    (tmp_path / "taken").touch()
    code, _, err = vstg("lessons export factors -o taken")
    assert code == 2
    assert "taken is a file" in err

"""Downloads against a server on this machine: broken, wrong, refused, resumed."""

import bz2
import gzip
import hashlib
import zipfile
from io import BytesIO

import numpy as np
import pytest
from loopback import Site, serving

from vstg.datasets import FetchError, get_data_home
from vstg.datasets.cache import DataFile, Form, Places, read_file
from vstg.datasets.digit_files import _read_svmlight

CONTENT = bytes(range(256)) * 1000  # longer than what one look at a socket returns
DIGEST = hashlib.sha256(CONTENT).hexdigest()


@pytest.fixture
def site():
    with serving(Site(CONTENT)) as server:
        yield server


def data_file(*urls: str, packing: str = "", sha256: str = DIGEST) -> DataFile:
    form = Form("file.bin", urls, packing)
    return DataFile("folder", (form,), len(CONTENT), sha256)


def places(tmp_path, **more) -> Places:
    return Places(tmp_path / "home", **{"delay": 0.0, **more})


def test_a_download_is_kept_and_not_asked_for_again(site, tmp_path):
    seen = []
    where = places(tmp_path, progress=lambda *args: seen.append(args))
    file = data_file(site.url)
    assert read_file(file, where) == CONTENT
    assert read_file(file, where) == CONTENT
    assert site.ranges == [None]
    assert seen[-1] == ("file.bin", len(CONTENT), len(CONTENT))
    assert [done for _, done, _ in seen] == sorted(done for _, done, _ in seen)
    left = {path.name for path in (tmp_path / "home/folder").iterdir()}
    assert left == {"file.bin", ".file.bin.lock"}


def test_a_broken_transfer_goes_on_where_it_stopped(site, tmp_path):
    site.cuts = [1000, 70_000]
    assert read_file(data_file(site.url), places(tmp_path)) == CONTENT
    assert site.ranges == [None, "bytes=1000-", "bytes=71000-"]


def test_a_later_call_goes_on_where_an_earlier_one_gave_up(site, tmp_path):
    site.cuts = [1234]
    with pytest.raises(FetchError, match=f"stopped after 1234 of {len(CONTENT)}"):
        read_file(data_file(site.url), places(tmp_path, retries=0))
    assert not (tmp_path / "home/folder/file.bin").exists()
    assert read_file(data_file(site.url), places(tmp_path, retries=0)) == CONTENT
    assert site.ranges[-1] == "bytes=1234-"


def test_a_server_without_ranges_is_asked_from_the_start(site, tmp_path):
    site.cuts, site.resume = [5000], False
    assert read_file(data_file(site.url), places(tmp_path)) == CONTENT
    assert site.ranges == [None, "bytes=5000-"]


def test_an_answer_of_unknown_length_that_breaks_off_is_noticed(site, tmp_path):
    site.cuts, site.declare = [5000], False
    assert read_file(data_file(site.url), places(tmp_path)) == CONTENT


def test_a_wrong_checksum_is_refused_and_nothing_is_kept(site, tmp_path):
    site.content = CONTENT[:-1] + b"?"
    with pytest.raises(FetchError, match="checksum"):
        read_file(data_file(site.url), places(tmp_path))
    assert len(site.ranges) == 4
    assert site.ranges[-1] is None  # each try begins anew
    left = {path.name for path in (tmp_path / "home/folder").iterdir()}
    assert left == {".file.bin.lock"}


def test_a_stale_part_of_another_version_is_thrown_away(site, tmp_path):
    part = tmp_path / "home/folder/file.bin.part"
    part.parent.mkdir(parents=True)
    part.write_bytes(b"old" * 100)
    assert read_file(data_file(site.url), places(tmp_path)) == CONTENT
    assert site.ranges == ["bytes=300-", None]


def test_a_part_longer_than_the_file_is_thrown_away(site, tmp_path):
    part = tmp_path / "home/folder/file.bin.part"
    part.parent.mkdir(parents=True)
    part.write_bytes(CONTENT + b"more")
    assert read_file(data_file(site.url), places(tmp_path)) == CONTENT


def test_404_is_not_asked_again_and_the_next_address_is(site, tmp_path):
    site.codes = [404]
    assert read_file(data_file(site.url, site.url), places(tmp_path)) == CONTENT
    assert len(site.ranges) == 2
    site.codes = [404]
    with pytest.raises(FetchError, match=f"answered 404.*{site.url}.*VSTG_DATA_DIR"):
        read_file(data_file(site.url), places(tmp_path / "other"))


def test_an_overloaded_server_is_asked_again(site, tmp_path):
    site.codes = [503, 429]
    assert read_file(data_file(site.url), places(tmp_path)) == CONTENT


@pytest.mark.parametrize("declare", [True, False])
def test_more_than_expected_is_refused(site, tmp_path, declare):
    site.content, site.declare = b"x" * (len(CONTENT) + 2**17), declare
    with pytest.raises(FetchError, match="expected"):
        read_file(data_file(site.url), places(tmp_path))


def test_without_a_connection_the_sentence_says_what_to_do(site, tmp_path):
    # A port where nobody listens: refused at once, as by a machine without a network.
    with serving(Site()) as gone:
        url = gone.url
    with pytest.raises(FetchError) as caught:
        read_file(data_file(url), places(tmp_path, retries=1))
    words = str(caught.value)
    assert "file.bin" in words
    assert url in words
    assert "data_dir=" in words
    assert "\n" not in words


def test_an_unknown_host_is_not_asked_twice(tmp_path):
    with pytest.raises(FetchError, match="cannot be downloaded"):
        read_file(
            data_file("http://nowhere.invalid/x"), places(tmp_path, delay=60, retries=1)
        )


def test_only_web_addresses_are_asked(tmp_path):
    path = tmp_path / "secret"
    path.write_bytes(CONTENT)
    with pytest.raises(FetchError, match="http"):
        read_file(data_file(path.as_uri()), places(tmp_path))


def test_nothing_is_asked_when_downloads_are_off(site, tmp_path):
    with pytest.raises(OSError, match=r"file\.bin is not in .*data_dir"):
        read_file(data_file(site.url), places(tmp_path, download=False))
    assert site.ranges == []


def test_a_damaged_file_in_the_cache_is_fetched_again(site, tmp_path):
    where = places(tmp_path)
    read_file(data_file(site.url), where)
    kept = tmp_path / "home/folder/file.bin"
    kept.write_bytes(b"damaged")
    assert read_file(data_file(site.url), where) == CONTENT
    assert kept.read_bytes() == CONTENT
    kept.write_bytes(b"damaged")
    with pytest.raises(FetchError, match="checksum"):
        read_file(data_file(site.url), places(tmp_path, download=False))


@pytest.mark.parametrize("inside", ["folder/file.bin", "file.bin"])
def test_a_local_folder_takes_the_place_of_the_download(site, tmp_path, inside):
    local = tmp_path / "mine"
    path = local / inside
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(CONTENT)
    assert read_file(data_file(site.url), places(tmp_path, folder=local)) == CONTENT
    path.write_bytes(b"something else")
    with pytest.raises(FetchError, match=r"mine.*checksum.*replace"):
        read_file(data_file(site.url), places(tmp_path, folder=local))
    assert path.exists()  # never touched
    assert site.ranges == []


def zipped(content: bytes) -> bytes:
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("inner.bin", content)
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("packing", "pack"),
    [("gzip", gzip.compress), ("bz2", bz2.compress), ("zip:inner.bin", zipped)],
)
def test_packed_files_are_checked_unpacked(site, tmp_path, packing, pack):
    site.content = pack(CONTENT)
    file = data_file(site.url, packing=packing)
    assert read_file(file, places(tmp_path)) == CONTENT
    site.content = pack(CONTENT * 3)  # would expand beyond what is expected
    with pytest.raises(FetchError, match="more than"):
        read_file(file, places(tmp_path / "bomb"))
    site.content = b"not packed at all"
    with pytest.raises(FetchError, match="unpacked"):
        read_file(file, places(tmp_path / "plain"))


def test_another_form_is_tried_when_the_first_cannot_be_had(site, tmp_path):
    first = Form("a.bin", (site.url,))
    second = Form("b.zip", (site.url,), "zip:inner.bin")
    site.content = zipped(CONTENT)
    file = DataFile("folder", (first, second), len(CONTENT), DIGEST)
    assert read_file(file, places(tmp_path, retries=0)) == CONTENT


def test_libsvm_files_are_read_with_labels_from_zero(tmp_path):
    text = b"10 1:-1 256:0.5\n1 2:0.25\n"
    path = tmp_path / "mine/usps/u.bz2"
    path.parent.mkdir(parents=True)
    path.write_bytes(bz2.compress(text))
    file = DataFile("usps", (Form("u.bz2", ("http://x.invalid",), "bz2"),), 1000)
    X, y = _read_svmlight(file, places(tmp_path, folder=tmp_path / "mine"))
    np.testing.assert_array_equal(y, [9, 0])
    assert X.shape == (2, 256)
    assert X[0, 255] == 0.5
    assert X[1, 1] == 0.25


def test_the_environment_names_the_folders(tmp_path, monkeypatch):
    monkeypatch.delenv("VSTG_DATA", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    assert get_data_home().parts[-2:] == (".cache", "vstg")
    monkeypatch.setenv("VSTG_DATA", str(tmp_path / "home"))
    monkeypatch.setenv("VSTG_DATA_DIR", str(tmp_path))
    where = Places.of()
    assert (where.home, where.folder) == (tmp_path / "home", tmp_path)
    assert get_data_home(tmp_path) == tmp_path
    monkeypatch.setenv("VSTG_DATA_DIR", str(tmp_path / "missing"))
    with pytest.raises(FetchError, match="missing"):
        Places.of()


def test_the_cache_of_an_earlier_version_is_still_found(tmp_path, monkeypatch):
    monkeypatch.delenv("VSTG_DATA", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))
    assert get_data_home() == tmp_path / "caches" / "vstg"
    (tmp_path / ".cache" / "vstg").mkdir(parents=True)  # where every system had it
    assert get_data_home() == tmp_path / ".cache" / "vstg"

"""`curator warc`: the commands as a person calls them."""

from __future__ import annotations

import gzip
import json

import pytest
from arc_files import PAGE as ARC_PAGE
from arc_files import arc_file, arc_record

from webarticlecurator import iter_warc
from webarticlecurator.cli.app import main
from webarticlecurator.warc.store import Series

PAGE = "<p>Árvíztűrő</p>".encode()


@pytest.fixture
def corpus(store, folder, make_entry, tmp_path):
    packed = gzip.compress(PAGE)
    wire = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n" % len(packed) + packed
    store.append(Series.ARTICLES, [make_entry("https://pelda.example/a", response_bytes=wire, entity=packed)])
    store.append(Series.ARTICLES, [make_entry("https://pelda.example/b")])
    store.close()
    return tmp_path


def run(*arguments: object) -> int:
    return main(["warc", *map(str, arguments)])


def test_list_shows_a_corpus_tab_separated(corpus, capfd):
    assert run("list", corpus) == 0
    first, second = (line.split("\t") for line in capfd.readouterr().out.splitlines())
    assert (first[0], first[2], first[3], first[5]) == ("https://pelda.example/a", "200", "text/html", "fetched")
    assert second[0] == "https://pelda.example/b"


def test_list_as_json_is_an_object_a_line(corpus, capfd):
    assert run("list", corpus, "--json") == 0
    listed = [json.loads(line) for line in capfd.readouterr().out.splitlines()]
    assert [(one["url"], one["status"], one["outcome"]) for one in listed] == [
        ("https://pelda.example/a", 200, "fetched"), ("https://pelda.example/b", 200, "fetched"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("flag", "begins", "ends"), [(None, b"HTTP/1.1 200", None), ("--headers", b"HTTP/1.1", b"\r\n\r\n"), ("--payload", PAGE, PAGE)]
)
def test_cat_shows_the_response_its_head_or_the_page(corpus, capfdbinary, flag, begins, ends):
    assert run("cat", corpus, "https://pelda.example/a", *([flag] if flag else [])) == 0
    out = capfdbinary.readouterr().out
    assert out.startswith(begins)
    assert ends is None or out.endswith(ends)


def test_cat_by_offset_shows_that_record(corpus, capfd):
    run("list", corpus, "--json")
    offset = json.loads(capfd.readouterr().out.splitlines()[1])["offset"]
    assert run("cat", next((corpus / "warc").iterdir()), offset, "--payload") == 0
    assert "Szia" in capfd.readouterr().out


def test_cat_into_a_folder_tells_the_names(corpus, capfd, tmp_path):
    out = tmp_path / "pages"
    assert run("cat", corpus, "https://pelda.example/a", "https://pelda.example/b", "--payload", "--out", out) == 0
    names = [line.split("\t")[0] for line in capfd.readouterr().out.splitlines()]
    assert sorted(map(str, out.iterdir())) == sorted(names)
    assert all(name.endswith(".html") for name in names)


def test_cat_of_an_unknown_url_fails_and_says_so(corpus, capfd):
    assert run("cat", corpus, "https://pelda.example/nowhere") == 1
    assert "not in these files" in capfd.readouterr().err


def test_check_is_silent_about_good_files_and_exits_1_for_bad_ones(corpus, capfd):
    assert run("check", corpus) == 0
    assert capfd.readouterr().out == ""
    path = next((corpus / "warc").iterdir())
    path.write_bytes(path.read_bytes()[:-5])
    assert run("check", path, "--json") == 1
    found = [json.loads(line) for line in capfd.readouterr().out.splitlines()]
    assert {"damage", "incomplete-exchange"} == {one["rule"] for one in found}
    assert found[0]["path"] == str(path)


def test_sample_writes_a_file(corpus, capfd, tmp_path):
    wanted = tmp_path / "wanted.txt"
    wanted.write_text("# the second\nhttps://pelda.example/b\n")
    out = tmp_path / "s.warc.gz"
    assert run("sample", corpus, "--urls", wanted, "--out", out) == 0
    capfd.readouterr()
    run("list", out)
    assert capfd.readouterr().out.startswith("https://pelda.example/b\t")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["list", "nowhere.warc.gz"], "no such file"),
        (["list", "{empty}"], "no WARC files"),
        (["cat", "https://pelda.example/a"], "give the files first"),
        (["cat", "{corpus}"], "Nothing to show"),
        (["cat", "{corpus}", "x", "--payload", "--headers"], "exclude each other"),
        (["sample", "{corpus}", "--out", "x.warc.gz"], "--per-year"),
        (["sample", "{corpus}", "--urls", "nowhere.txt", "--out", "x.warc.gz"], "no such file"),
    ],
)
def test_usage_errors_say_what_to_do(corpus, capfd, tmp_path, arguments, message):
    empty = tmp_path / "empty"
    empty.mkdir()
    assert run(*[argument.format(corpus=corpus, empty=empty) for argument in arguments]) == 2
    assert message in capfd.readouterr().err


@pytest.mark.parametrize("command", ["check", "list"])
def test_a_portal_file_is_not_called_a_broken_warc(tmp_path, capfd, command):
    portal = tmp_path / "portal.yaml"
    portal.write_text("portal: pelda\n")
    assert run(command, portal) == 2
    assert "portal.yaml: this is a portal file; give the corpus folder" in capfd.readouterr().err


def test_damage_is_told_and_the_rest_is_shown(corpus, capfd):
    path = next((corpus / "warc").iterdir())
    path.write_bytes(path.read_bytes() + b"garbage")
    assert run("list", path) == 1
    told = capfd.readouterr()
    assert len(told.out.splitlines()) == 2
    assert "belong to no record" in told.err


@pytest.fixture(params=["plain", "members", "one member"])
def arc(request, tmp_path):
    path = tmp_path / "x.arc.gz"
    records = [arc_record("http://a.example/2007/a"), arc_record("http://a.example/2008/b", b"HTTP/1.0 404 No\r\n\r\n")]
    path.write_bytes(arc_file(records, packed=request.param))
    return path


def test_list_and_cat_take_arc_files(arc, capfd):
    assert run("list", arc) == 0
    assert capfd.readouterr().out.splitlines() == [
        "http://a.example/2007/a\t2008-04-30T20:48:25Z\t200\ttext/html\t9\t-",
        "http://a.example/2008/b\t2008-04-30T20:48:25Z\t404\t-\t0\t-",
    ]
    assert run("cat", arc, "http://a.example/2007/a") == 0
    assert capfd.readouterr().out.encode() == ARC_PAGE
    assert [(capture.url, capture.status) for capture in iter_warc(arc.parent)] == [
        ("http://a.example/2007/a", 200), ("http://a.example/2008/b", 404),
    ]  # fmt: skip


def test_a_sample_of_an_arc_file_is_a_sound_warc(arc, capfd, tmp_path):
    out = tmp_path / "s.warc.gz"
    assert run("sample", arc, "--per-year", "5", "--out", out) == 0
    assert run("check", out) == 0
    capfd.readouterr()
    assert run("cat", out, "http://a.example/2007/a", "--payload") == 0
    assert capfd.readouterr().out == "<p>hi</p>"


def test_check_tells_of_damage_in_an_arc_file_and_that_it_has_no_rules_for_the_rest(arc, capfd):
    assert run("check", arc) == 0
    assert "note: an ARC file" in capfd.readouterr().out
    arc.write_bytes(arc.read_bytes() + b"http://a.example/c 192.0.2.7 20080430204825 text/html 999\n")
    assert run("check", arc) == 1
    assert run("list", arc) == 1
    told = capfd.readouterr()
    assert f"{arc}: byte" in told.out
    assert f"{arc}: byte" in told.err

"""Files of a folder that are documents."""

import os
from pathlib import Path

import pytest

from research.library.scan_library_folder import FolderError, scan_folder


def paths(folder: Path) -> list[str]:
    return [file.path for file in scan_folder(folder).files]


def test_documents_are_found_at_any_depth_in_the_order_of_their_paths(folder):
    assert paths(folder) == ["deep/garden.html", "notes.txt", "rules.md"]


def test_hidden_files_and_folders_are_left_alone(folder):
    (folder / ".hidden.md").write_text("hidden")
    (folder / ".git").mkdir()
    (folder / ".git" / "a.md").write_text("hidden")
    assert len(paths(folder)) == 3


def test_files_of_other_kinds_are_counted_not_read(folder):
    (folder / "picture.png").write_bytes(b"\x89PNG")
    (folder / "gold.json").write_text("{}")
    assert scan_folder(folder).skipped == ("gold.json", "picture.png")


def test_usual_texts_without_a_suffix_are_read(tmp_path):
    for name in ("NEWS", "README", "Makefile", "data"):
        (tmp_path / name).write_text("Pumps lift water.")
    found = scan_folder(tmp_path)
    assert [file.path for file in found.files] == ["NEWS", "README"]
    assert found.skipped == ("Makefile", "data")


def test_a_readme_beside_a_manifest_is_about_the_library(folder):
    (folder / "README.md").write_text("About this library")
    assert "README.md" in paths(folder)
    (folder / "manifest.csv").write_text("file,title\nrules.md,Rules\n")
    assert "README.md" not in paths(folder)


def test_a_readme_that_the_manifest_lists_is_a_document(folder):
    (folder / "README.md").write_text("A project's own words")
    (folder / "manifest.csv").write_text("file,title\nREADME.md,Read me\n")
    assert "README.md" in paths(folder)


def test_a_manifest_speaks_for_the_documents_beside_and_below_it(folder):
    (folder / "manifest.csv").write_text("file,title\nrules.md,Rules\ndeep/garden.html,Garden\n")
    (folder / "deep" / "manifest.csv").write_text("file,title\ngarden.html,The garden itself\n")
    titles = {file.path: file.details.title for file in scan_folder(folder).files}
    assert titles == {"deep/garden.html": "The garden itself", "notes.txt": "", "rules.md": "Rules"}


def test_a_link_out_of_the_folder_is_not_followed(folder, tmp_path):
    (tmp_path / "secret.txt").write_text("secret")
    (folder / "link.txt").symlink_to(tmp_path / "secret.txt")
    (folder / "way").symlink_to(tmp_path)
    scan = scan_folder(folder)
    assert [(problem.path, problem.code) for problem in scan.problems] == [("link.txt", "outside")]
    assert len(scan.files) == 3


def test_a_link_within_the_folder_is_a_document(folder):
    (folder / "again.md").symlink_to(folder / "rules.md")
    assert "again.md" in paths(folder)


def test_a_link_to_nothing_is_named(folder):
    (folder / "gone.md").symlink_to(folder / "nowhere.md")
    (problem,) = scan_folder(folder).problems
    assert (problem.path, problem.code) == ("gone.md", "no_access")


def test_a_link_to_itself_is_named(folder):
    (folder / "round.md").symlink_to("round.md")
    (problem,) = scan_folder(folder).problems
    assert (problem.path, problem.code) == ("round.md", "no_access")
    assert len(paths(folder)) == 3


def test_a_pipe_is_no_document(folder):
    os.mkfifo(folder / "pipe.txt")
    assert len(paths(folder)) == 3


def test_a_name_that_is_not_utf8_is_named_and_the_rest_goes_on(folder):
    with open(os.fsencode(folder) + b"/caf\xe9.txt", "wb") as file:
        file.write(b"words")
    scan = scan_folder(folder)
    assert scan.problems[0].path == "caf\ufffd.txt"
    assert len(scan.files) == 3


def test_a_missing_folder_has_a_clear_message(tmp_path):
    with pytest.raises(FolderError, match="There is no folder"):
        scan_folder(tmp_path / "nowhere")


def test_a_file_is_no_folder(folder):
    with pytest.raises(FolderError, match="is a file"):
        scan_folder(folder / "rules.md")

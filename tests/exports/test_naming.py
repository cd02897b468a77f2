"""Names of files."""

from dataclasses import replace

import pytest

from exports.files.export_file_names import file_name
from exports.formats.export_formats import WRITERS, Format
from tests.exports.generated import document


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Do heat pumps work below −15 °C?", "do-heat-pumps-work-below-15-c-v2.pdf"),
        ("Wärmepumpen: lohnt sich das?", "wärmepumpen-lohnt-sich-das-v2.pdf"),
        ("../../etc/passwd\r\nSet-Cookie: a", "etcpasswd-set-cookie-a-v2.pdf"),
        ("？！", "report-v2.pdf"),
        ("word " * 40, f"{'word-' * 12}v2.pdf"),
        ("x" * 300, f"{'x' * 60}-v2.pdf"),
    ],
)
def test_a_name_is_what_every_file_system_takes(title, name):
    entry = replace(document("one_claim", "report"), title=title, report_version=2)
    assert file_name(entry, WRITERS[Format.PDF]) == name

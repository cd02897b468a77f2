"""Options of `manage.py research --kind table`: the items, the columns, and the prompt for each item."""

from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from pathlib import Path

from pydantic import ValidationError

from research.pipelines.report.report_config import ConfigError, complaints_about
from research.pipelines.table.decomposing.decompose_table_request_by_rules import decompose
from research.pipelines.table.decomposing.guess_table_column_types import field_of
from research.pipelines.table.decomposing.read_uploaded_table_files import FileRefused, as_csv
from research.pipelines.table.start_table import TableInput
from research.pipelines.table.table_columns import TableField, name_of


def add_table_arguments(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("with --kind table")
    group.add_argument("--item", action="append", default=[], metavar="ITEM", help="a row; repeatable")
    group.add_argument("--items", metavar="FILE", help="rows from a text (one a line), CSV, TSV or XLSX file")
    group.add_argument(
        "--find-rows",
        action="store_true",
        help="find the rows in lists of the sources that the question asks for",
    )
    group.add_argument("--column", default="", metavar="NAME", help="the column of that file with the items")
    group.add_argument(
        "--field",
        action="append",
        default=[],
        metavar="NAME[:TYPE]",
        help="a column: string, number, boolean, date or url, with “[]” behind it for several; by default as its name"
        " suggests; repeatable",
    )
    group.add_argument("--template", default="", metavar="WORDS", help="what is asked of each {{input}}")


def table_of(question: str, options: Mapping[str, str]) -> TableInput:
    """Build the input of a table from the options and derive what they omit from the question. Raises ConfigError."""
    fields = [_field(given) for given in options["field"]]
    question = question.strip() or ", ".join(field.title for field in fields)
    if options["find_rows"]:
        return TableInput.model_construct(prompt=question, fields=fields, find_rows=True)
    files, text = _file(options["items"]) if options["items"] else ((), "")
    found = decompose(question, "\n".join([*options["item"], text]).strip(), files, column=options["column"])
    return TableInput.model_construct(
        prompt=question,
        items=list(options["item"] if options["item"] and not options["items"] else found.items),
        fields=fields or list(found.fields),
        template=options["template"] or found.template,
    )


def _file(name: str) -> tuple[Sequence[str], str]:
    """Read a file with items, either as CSV or as text. Raises ConfigError."""
    path = Path(name).expanduser()
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ConfigError(f"--items: “{name}” can't be read ({error.strerror}).") from error
    if path.suffix.casefold() in (".csv", ".tsv", ".xlsx"):
        try:
            return [as_csv(path.name, data).text], ""
        except FileRefused as error:
            raise ConfigError(f"--items: {error}") from error
    return (), data.decode("utf-8", errors="replace")


def _field(given: str) -> TableField:
    """Parse a column given as NAME[:TYPE]. Raises ConfigError."""
    title, _, kind = given.partition(":")
    suggested = field_of(title.replace("_", " ")) if not kind else None
    try:
        return TableField.model_validate(
            {
                "name": name_of(title) or title,
                "title": title if title != name_of(title) else "",
                "type": suggested.type if suggested else kind.removesuffix("[]") or "string",
                "format": suggested.format if suggested else "",
                "many": kind.endswith("[]"),
            }
        )
    except ValidationError as error:
        raise ConfigError(f"--field {given}: " + "; ".join(map(str, complaints_about(error)))) from error

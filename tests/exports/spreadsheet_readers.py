"""What a reader of the files does with their cells."""

from exports.formats.export_spreadsheet_cells import neutral


def unescape_formula(cell: str) -> str:
    """Undo `neutral`, except for the control characters that it removed."""
    return cell[1:] if cell.startswith("'") and neutral(cell[1:]) == cell else cell

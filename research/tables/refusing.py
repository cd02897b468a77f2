"""Why something is not done to a table, in words for whoever asked."""

from research.runs import Refused


class TableRefused(Refused):
    """It can't be done so, or not now; str(error) tells the user why. Nothing was changed."""

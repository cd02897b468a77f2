"""The progress of PDF rendering, read from the renderer's log, which has a line for each page."""

import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager

from exports.formats.export_options import Progress

_A_PAGE = 4_500  # characters of HTML for a page, including markup
_PAGE = re.compile(r"Creating layout - Page (\d+)")


class _Teller(logging.Handler):
    """Reports progress without knowing the number of pages: the share approaches the end without reaching it."""

    def __init__(self, tell: Progress, first: float, last: float, characters: int) -> None:
        super().__init__(logging.INFO)
        self._tell, self._first, self._span = tell, first, last - first
        self._pages = characters / _A_PAGE
        self._told = first

    def emit(self, record: logging.LogRecord) -> None:
        found = _PAGE.search(record.getMessage())
        if found:
            done = int(found[1])
            share = self._first + self._span * done / (done + max(1.0, self._pages - done))
            if share > self._told + 0.01:
                self._told = share
                self._tell(share)


@contextmanager
def report_page_progress(
    logger: logging.Logger, tell: Progress, first: float, last: float, characters: int
) -> Iterator[None]:
    """Inside the block, report the logged pages as a progress from `first` to `last`."""
    teller = _Teller(tell, first, last, characters)
    level, is_heard = logger.level, logger.propagate
    logger.addHandler(teller)
    logger.setLevel(logging.INFO)
    logger.propagate = False  # so that the site's log does not get a line for each page
    try:
        yield
    finally:
        logger.removeHandler(teller)
        logger.setLevel(level)
        logger.propagate = is_heard

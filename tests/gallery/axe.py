"""Run axe-core on a page. It comes from npm (package.json); without it, its tests skip visibly."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from django.conf import settings
from playwright.sync_api import Page

SCRIPT = Path(settings.BASE_DIR) / "node_modules" / "axe-core" / "axe.min.js"
WCAG = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
COLOURS = ("color-contrast", "link-in-text-block")  # all that a scheme can change
# Style sheets are not fetched a second time for it: the content security policy allows no script to fetch them.
RUN = """async only => {
  const found = await axe.run(document, {runOnly: only, resultTypes: ["violations"], preload: false});
  return found.violations.flatMap(rule => rule.nodes.slice(0, 3).map(node =>
    `${rule.id}: ${node.target.join(" ")}: ${node.any.concat(node.all, node.none).map(one => one.message)[0]}`));
}"""


def violations(page: Page, rules: Sequence[str] = ()) -> list[str]:
    """A line for each place at fault, three a rule at most: rule, selector, what is wrong.

    `rules`: only these, instead of all of WCAG.
    """
    if not SCRIPT.exists():
        pytest.skip("axe-core is not installed: .ci/install node")
    if not page.evaluate("'axe' in window"):
        page.evaluate(SCRIPT.read_text(encoding="utf-8"))
    only = {"type": "rule", "values": list(rules)} if rules else {"type": "tag", "values": list(WCAG)}
    return page.evaluate(RUN, only)

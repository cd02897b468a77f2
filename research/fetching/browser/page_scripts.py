"""Scripts evaluated in a page, in an isolated world that the page's own scripts cannot see or change."""

# Its height, for noticing that more was loaded; and how much text it has.
STATE = "(() => ({height: document.documentElement.scrollHeight, text: (document.body?.innerText || '').length}))()"
TO_BOTTOM = "window.scrollTo(0, document.documentElement.scrollHeight)"
WORDS = "(document.body?.innerText || '').slice(0, 2000000)"
# Also what choices are called and what stands as a hint in fields: a reader sees it too.
SHOWN = """
(() => {
  const hints = [...document.querySelectorAll('input, textarea, select, option, button, [aria-label]')].slice(0, 5000)
    .map(e => [e.placeholder, e.value, e.label, e.getAttribute('aria-label'), e.textContent].join(' '));
  return (document.body?.innerText || '').slice(0, 2000000) + ' ' + hints.join(' ').slice(0, 500000);
})()
"""
# What only waits to be opened is opened; what style sheets hide is marked as hidden, so that the reader leaves it out
# as it does everywhere. Null: too large.
HTML = """
(() => {
  document.querySelectorAll('details').forEach(e => e.open = true);
  const skipped = new Set(['SCRIPT', 'STYLE', 'TEMPLATE', 'NOSCRIPT', 'LINK', 'META', 'BR', 'WBR', 'OPTION', 'SOURCE']);
  const walk = document.createTreeWalker(document.body || document.documentElement, NodeFilter.SHOW_ELEMENT, {
    acceptNode(e) {
      if (skipped.has(e.tagName)) return NodeFilter.FILTER_REJECT;
      if (getComputedStyle(e).display === 'none') { e.setAttribute('hidden', ''); return NodeFilter.FILTER_REJECT; }
      return NodeFilter.FILTER_ACCEPT;
    }
  });
  for (let n = 0; n < 200000 && walk.nextNode(); n++) {
    const e = walk.currentNode;
    const isText = !e.firstElementChild && getComputedStyle(e).display !== 'contents';
    if (isText && !e.checkVisibility({visibilityProperty: true})) e.setAttribute('hidden', '');
  }
  const html = document.documentElement.outerHTML;
  return html.length > %d ? null : '<!DOCTYPE html>\\n' + html;
})()
"""

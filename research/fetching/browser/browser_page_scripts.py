"""Scripts evaluated in a page, in an isolated world that the page's own scripts cannot see or change."""

# The page's height, to notice when more was loaded, and the length of its text.
STATE = "(() => ({height: document.documentElement.scrollHeight, text: (document.body?.innerText || '').length}))()"
TO_BOTTOM = "window.scrollTo(0, document.documentElement.scrollHeight)"
WORDS = "(document.body?.innerText || '').slice(0, 2000000)"
# Includes option labels and the placeholders of fields, which a reader sees too.
SHOWN = """
(() => {
  const hints = [...document.querySelectorAll('input, textarea, select, option, button, [aria-label]')].slice(0, 5000)
    .map(e => [e.placeholder, e.value, e.label, e.getAttribute('aria-label'), e.textContent].join(' '));
  return (document.body?.innerText || '').slice(0, 2000000) + ' ' + hints.join(' ').slice(0, 500000);
})()
"""
# What can be clicked, filled or chosen from, in page order: its kind, its name, and a path that finds it.
CONTROLS = """
(() => {
  const wanted = 'a[href], button, input, textarea, select, summary, [role=button], [role=tab], [role=link], [onclick]';
  const words = text => (text || '').replace(/\\s+/g, ' ').trim().slice(0, 80);
  const path = e => {
    const steps = [];
    for (; e && e.parentElement; e = e.parentElement)
      steps.unshift(`${e.localName}:nth-child(${[...e.parentElement.children].indexOf(e) + 1})`);
    return [':root', ...steps].join(' > ');
  };
  const typed = new Set(['text', 'search', 'email', 'url', 'tel', 'number', 'date', 'month', 'week', 'time']);
  const found = [];
  for (const e of document.querySelectorAll(wanted)) {
    const box = e.getBoundingClientRect();
    const isShown = e.checkVisibility({visibilityProperty: true, opacityProperty: true}) && box.width && box.height;
    if (!isShown || e.disabled || e.type === 'hidden' || e.type === 'file' || e.type === 'password') continue;
    const isField = e.localName === 'textarea' || e.localName === 'input' && typed.has(e.type);
    const kind = e.localName === 'select' ? 'select' : isField ? 'fill' : 'click';
    const own = kind === 'select' ? '' : words(e.innerText) || (isField ? '' : words(e.value));
    const name = words(e.getAttribute('aria-label')) || words(e.labels?.[0]?.innerText) || own
      || words(e.placeholder) || words(e.title) || words(e.getAttribute('name'));
    const choices = kind === 'select' ? [...e.options].slice(0, 20).map(o => words(o.label)) : [];
    found.push({kind, name, choices, path: path(e)});
    if (found.length === 60) break;
  }
  return found;
})()
"""
# Opens collapsed details, and marks what style sheets hide as hidden, so that our HTML reader leaves it out.
# Null if the page is too large.
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

// Search in the report: marks every place without touching the text, and goes from one to the next.
(() => {
  const bar = document.getElementById("find");
  const parts = document.querySelectorAll(".reader-head .answer, .report");
  const opener = document.querySelector(".find-open");
  if (!bar || !opener || !CSS.highlights) return; // the browser's own search remains
  const field = bar.querySelector("input");
  const told = bar.querySelector("[role=status]");
  let places = [];
  let here = -1;

  opener.hidden = false;

  const patternOf = (words) => {
    const parts = words.normalize().trim().split(/\s+/).map((part) => part.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"));
    return parts[0] ? new RegExp(parts.join("\\s+"), "giu") : null;
  };

  // Badges and forms are no text of the report; what a filter hides is not searched, what is folded is.
  const isSearched = (element) =>
    !element.matches("button, form, .visually-hidden, .filter-note") && getComputedStyle(element).display !== "none";

  const choose = (node) => {
    if (node.nodeType === Node.TEXT_NODE) return NodeFilter.FILTER_ACCEPT;
    return isSearched(node) ? NodeFilter.FILTER_SKIP : NodeFilter.FILTER_REJECT;
  };

  function* placesOf(pattern, part) {
    const walker = document.createTreeWalker(part, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, choose);
    while (walker.nextNode()) {
      const nodes = joinedFrom(walker.currentNode);
      const text = nodes.map((node) => node.data).join("");
      for (const match of text.matchAll(pattern)) {
        const range = new Range();
        range.setStart(...placeIn(nodes, match.index));
        range.setEnd(...placeIn(nodes, match.index + match[0].length));
        yield range;
      }
    }
  }

  // A long name is one word, though it may break: the texts between its <wbr> are searched as one.
  const joinedFrom = (node) => {
    if (node.previousSibling?.nodeName === "WBR") return [];
    const nodes = [node];
    while (nodes.at(-1).nextSibling?.nodeName === "WBR") {
      const next = nodes.at(-1).nextSibling.nextSibling;
      if (next?.nodeType !== Node.TEXT_NODE) break;
      nodes.push(next);
    }
    return nodes;
  };

  const placeIn = (nodes, offset) => {
    const node = nodes.find((each) => each.length >= offset || (offset -= each.length) < 0);
    return [node, offset];
  };

  const search = () => {
    const pattern = patternOf(field.value);
    places = pattern ? [...parts].flatMap((part) => [...placesOf(pattern, part)]) : [];
    CSS.highlights.set("found", new Highlight(...places));
    const ahead = places.findIndex((place) => place.getBoundingClientRect().bottom > 0);
    go(ahead < 0 ? 0 : ahead);
  };

  const go = (index) => {
    here = places.length ? (index + places.length) % places.length : -1;
    const place = places[here];
    CSS.highlights.set("found-here", place ? new Highlight(place) : new Highlight());
    if (place) bringIntoView(place);
    const { found, nothing } = told.dataset;
    const words = place ? found.replace("{number}", here + 1).replace("{total}", places.length) : nothing;
    told.textContent = field.value.trim() ? words : "";
  };

  const bringIntoView = (place) => {
    const around = place.startContainer.parentElement;
    for (let folded = around; (folded = folded.closest("details:not([open])")); ) folded.open = true;
    const box = place.getBoundingClientRect();
    if (box.top < bar.getBoundingClientRect().bottom || box.bottom > innerHeight) around.scrollIntoView({ block: "center" });
  };

  const enter = () => {
    const cite = document.getElementById("cite");
    if (cite.matches(":popover-open")) cite.hidePopover();
    bar.hidden = false;
    field.focus();
    field.select();
    search();
    return true;
  };

  // Reading goes on where the search ended: at the claim's badge, or the heading.
  const leave = () => {
    const around = places[here]?.startContainer.parentElement;
    const claim = around?.closest(".claim");
    const next = claim?.nextElementSibling ?? around?.closest("h1, h2, h3, h4") ?? opener;
    for (const name of ["found", "found-here"]) CSS.highlights.delete(name);
    bar.hidden = true;
    if (next.matches("h1, h2, h3, h4")) next.tabIndex = -1;
    next.focus({ preventScroll: true });
  };

  bar.addEventListener("input", search);
  bar.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button?.dataset.by) go(here + Number(button.dataset.by));
    else if (button) leave();
  });
  bar.addEventListener("keydown", (event) => {
    if (event.key === "Escape") leave();
    else if (event.key === "Enter" && event.target === field) go(here + (event.shiftKey ? -1 : 1));
    else return;
    event.preventDefault();
  });
  document.querySelector(".strength-filter")?.addEventListener("change", () => bar.hidden || search());
  opener.addEventListener("click", enter);
  window.onSingleKey?.((key) => key === "/" && enter());
})();

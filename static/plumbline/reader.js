// The report reader: one popover for all badges, and keys to go through the claims.
(() => {
  const cite = document.getElementById("cite");
  const badges = [...document.querySelectorAll(".answer .claim + .badge, .prose .badge")];
  const sheet = matchMedia("(width < 40rem)");
  let opened = null;

  // Without this script a badge submits and opens the evidence as a page; with it, it opens the popover.
  for (const badge of document.querySelectorAll(".badge")) badge.type = "button";

  // A badge pressed while another's evidence is open would only close that: close it first.
  document.addEventListener(
    "click",
    (event) => {
      const badge = event.target.closest(".badge");
      if (badge && badge !== opened && cite.matches(":popover-open")) cite.hidePopover();
      if (badge) begin(badge);
    },
    true,
  );

  const begin = (badge) => {
    if (badge !== opened) cite.replaceChildren(document.getElementById("cite-loading").content.cloneNode(true));
    opened = badge;
  };

  cite.addEventListener("toggle", (event) => {
    for (const at of document.querySelectorAll(".claim.at")) at.classList.remove("at");
    if (event.newState !== "open") return;
    opened?.previousElementSibling?.classList.add("at");
    if (sheet.matches) showAboveSheet(opened);
  });

  const showAboveSheet = (badge) => {
    const box = badge?.getBoundingClientRect();
    if (box && (box.bottom > innerHeight * 0.38 || box.top < 0)) scrollBy({ top: box.bottom - innerHeight * 0.35 });
  };

  document.addEventListener("htmx:after:swap", (event) => {
    if (event.detail.ctx.target !== cite) return;
    cite.scrollTop = 0;
    for (const button of cite.querySelectorAll(".copy")) button.hidden = !navigator.clipboard;
  });

  cite.addEventListener("click", async (event) => {
    const button = event.target.closest(".copy");
    if (!button) return;
    await navigator.clipboard.writeText(button.dataset.copy);
    button.textContent = button.dataset.done;
  });

  const move = (by) => {
    const isOpen = cite.matches(":popover-open");
    const shown = badges.filter((badge) => badge.checkVisibility()); // a filter may hide some
    const here = shown.indexOf(isOpen ? opened : document.activeElement);
    const next = shown[here < 0 ? (by > 0 ? 0 : shown.length - 1) : here + by];
    if (!next) return true;
    if (isOpen) cite.hidePopover();
    next.scrollIntoView({ block: "center" });
    next.focus({ preventScroll: true });
    if (isOpen) next.click();
    return true;
  };

  const moveSource = (by) => {
    const sources = [...cite.querySelectorAll(".evidence")];
    const here = sources.findIndex((source) => source.contains(document.activeElement));
    const next = sources[Math.max(0, Math.min(sources.length - 1, here + by))];
    next?.focus();
    next?.scrollIntoView({ block: "nearest" });
  };

  const press = (selector) => {
    const part = document.activeElement.closest(".evidence") ?? cite;
    part.querySelector(selector)?.click();
  };

  const show = (id) => {
    const part = document.getElementById(id);
    if (!part?.checkVisibility()) return false;
    const panel = part.closest("details");
    if (panel) panel.open = true;
    part.tabIndex = part.matches("summary") ? 0 : -1;
    part.focus();
    part.scrollIntoView({ block: "start" });
    return true;
  };

  // The side pane may have made room for a source; narrow windows fold the contents.
  const showContents = () => {
    document.querySelector(".with-source .pane-close")?.click();
    return show("contents") || show("contents-narrow");
  };

  const inPopover = {
    "[": () => moveSource(-1),
    "]": () => moveSource(1),
    o: () => press(".open-original"),
    v: () => press(".view-source"),
    c: () => press(".copy"),
  };

  window.onSingleKey?.((key) => {
    if (key === "j" || key === "k") return move(key === "j" ? 1 : -1);
    if (key === "t") return showContents();
    if (key === "w") return show("gaps") || show("warnings");
    if (!(key in inPopover) || !cite.matches(":popover-open")) return false;
    inPopover[key]();
    return true;
  });

  // A link to a claim inside a closed panel, or to the panel itself, opens it.
  const openTarget = () => {
    const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const panel = target?.closest?.("details");
    if (panel) panel.open = true;
  };
  addEventListener("hashchange", openTarget);
  openTarget();
})();

// The source beside the report: in a wide window links to a saved copy move this pane alone. Elsewhere, and without
// this script, they lead to the copy's own page.
(() => {
  const pane = document.getElementById("source-pane");
  const reader = document.querySelector(".reader");
  const cite = document.getElementById("cite");
  const wide = matchMedia("(width >= 75rem)"); // as in reader.css
  let cameFrom = null;
  let address = "";

  const isMeant = (link) =>
    link?.closest(".cite, .source-pane, .references") &&
    !link.matches("[target], .pane-leave") &&
    link.origin === location.origin &&
    /\/sources\/[0-9a-f-]{36}\/$/.test(link.pathname);

  const isPlain = (event) =>
    event.button === 0 && !event.defaultPrevented && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);

  const begin = (link) => {
    if (pane.contains(link)) return;
    const claim = link.closest("[data-claim]")?.dataset.claim;
    if (cite.contains(link)) cite.hidePopover(); // which gives the focus back to its badge
    const badge = document.querySelector(`#claim-${claim} + .badge`);
    cameFrom = document.activeElement.matches(".badge") ? document.activeElement : (badge ?? link);
    if (pane.hidden) pane.replaceChildren(document.getElementById("cite-loading").content.cloneNode(true));
    pane.hidden = false;
    reader.classList.add("with-source");
  };

  const show = async (method, asked, source) => {
    const rel = source.rel;
    address = asked;
    begin(source);
    pane.setAttribute("aria-busy", "true");
    await htmx.ajax(method, address, { target: pane, source: method === "GET" ? pane : source });
    pane.removeAttribute("aria-busy");
    (rel && pane.querySelector(`.viewer-bar [rel="${rel}"]`) || pane).focus({ preventScroll: true });
    settle();
  };

  // Moves the pane's own scroll alone: scrollIntoView would move the report as well.
  const settle = () => {
    const body = pane.querySelector(".viewer-body");
    const mark = body?.querySelector("mark.current, rect.current");
    const down = mark ? mark.getBoundingClientRect().top - body.getBoundingClientRect().top : 0;
    body?.scrollTo({ top: down ? body.scrollTop + down - body.clientHeight * 0.35 : 0, behavior: "instant" });
    const claim = pane.querySelector("[data-claim]")?.dataset.claim;
    for (const one of document.querySelectorAll(".claim.beside")) one.classList.remove("beside");
    document.getElementById(`claim-${claim}`)?.classList.add("beside");
  };

  const close = () => {
    pane.hidden = true;
    pane.replaceChildren();
    reader.classList.remove("with-source");
    for (const one of document.querySelectorAll(".claim.beside")) one.classList.remove("beside");
    cameFrom?.focus({ preventScroll: true });
  };

  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href]");
    if (event.target.closest(".pane-close")) close();
    if (!wide.matches || !isPlain(event) || !isMeant(link)) return;
    event.preventDefault();
    show("GET", link.href, link);
  });

  pane.addEventListener("submit", (event) => {
    event.preventDefault();
    show("POST", event.target.action, event.target);
  });

  // What is no saved copy (signed out, gone, an error) is shown as the page that it is.
  document.addEventListener("htmx:before:swap", (event) => {
    const { ctx } = event.detail;
    if (ctx.target !== pane || (ctx.response.raw.ok && ctx.text.includes("viewer-head"))) return;
    event.preventDefault();
    location.assign(ctx.response.raw.url);
  });

  pane.addEventListener("htmx:error", () => {
    if (!pane.querySelector(".cite-loading")) return;
    pane.replaceChildren(document.getElementById("pane-failed").content.cloneNode(true));
    pane.querySelector("a").href = address;
  });

  window.onSingleKey?.((key) => {
    if (pane.hidden || cite.matches(":popover-open") || !"[]".includes(key)) return false;
    pane.querySelector(`.viewer-bar [rel=${key === "[" ? "prev" : "next"}]`)?.click();
    return true;
  });

  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.defaultPrevented || pane.hidden) return;
    if (!cite.matches(":popover-open") && !document.querySelector("dialog[open]")) close();
  });
})();

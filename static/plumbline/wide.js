// The wide table: badges of rows that come later open the popover too, and arrow keys go from value to value.
(() => {
  const grid = document.querySelector(".wide:not(.sample)");
  const cite = document.getElementById("cite");
  if (!grid) return;

  // Without a script a badge submits and opens the evidence as a page; with it, it opens the popover.
  document.addEventListener("htmx:before:swap", (event) => {
    for (const task of event.detail.tasks ?? []) {
      for (const badge of task.fragment?.querySelectorAll?.(".badge") ?? []) badge.type = "button";
    }
  });
  document.addEventListener("htmx:after:swap", () => {
    for (const badge of grid.querySelectorAll('.badge[type="submit"]')) badge.type = "button";
  });

  const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

  // The next cell in that direction that has something to open; those that still wait are passed over.
  const nextBadge = (cell, down, right) => {
    const rows = [...grid.querySelectorAll("tbody tr")];
    let row = rows.indexOf(cell.parentElement) + down;
    let column = cell.cellIndex + right;
    while (rows[row]?.cells[column]) {
      const badge = rows[row].cells[column].querySelector(".badge");
      if (badge) return badge;
      row += down;
      column += right;
    }
    return null;
  };

  grid.addEventListener("keydown", (event) => {
    const step = steps[event.key];
    const cell = event.target.closest(".badge")?.closest("td");
    if (!step || !cell || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    event.preventDefault();
    const isReversed = document.documentElement.dir === "rtl" ? -1 : 1;
    nextBadge(cell, step[0], step[1] * isReversed)?.focus();
  });

  // Links from sources name a claim: of row 12, column 3 it is 1203.
  const named = /^#claim-(\d+)$/.exec(location.hash);
  if (named) {
    const row = Math.floor(named[1] / 100);
    const badge = document.getElementById(`row-${row}`)?.cells[named[1] % 100]?.querySelector(".badge");
    if (!badge) location.replace(`?page=${Math.ceil(row / grid.dataset.rows)}#row-${row}`);
    badge?.focus({ preventScroll: true });
    badge?.scrollIntoView({ block: "center", inline: "center" });
  }

  // The row whose evidence is open is marked.
  cite.addEventListener("toggle", (event) => {
    for (const row of grid.querySelectorAll("tr.at")) row.classList.remove("at");
    if (event.newState === "open") document.activeElement.closest("tr")?.classList.add("at");
  });
})();

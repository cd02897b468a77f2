// Single-key shortcuts: one switch for all pages, and the page that lists them.
(() => {
  const STORED = "plumbline.single-keys";

  const areOn = () => localStorage.getItem(STORED) !== "off";

  const isTyping = (element) => element.isContentEditable || element.matches("input, textarea, select");

  // Calls handle(key) for a single key pressed outside fields; handle returns true when it did something.
  window.onSingleKey = (handle) => {
    document.addEventListener("keydown", (event) => {
      const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && event.key.length === 1;
      if (!isPlain || event.defaultPrevented || !areOn() || isTyping(event.target)) return;
      if (handle(event.key)) event.preventDefault();
    });
  };

  window.onSingleKey((key) => {
    if (key !== "?") return false;
    const dialog = document.getElementById("shortcuts");
    if (!dialog) location.assign(document.querySelector(".frame-footer a").href);
    else if (!dialog.open) dialog.showModal();
    return true;
  });

  for (const box of document.querySelectorAll(".single-keys")) {
    box.checked = areOn();
    box.closest("label").hidden = false;
    box.addEventListener("change", () => localStorage.setItem(STORED, box.checked ? "on" : "off"));
  }
})();

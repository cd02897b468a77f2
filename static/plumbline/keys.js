// Single-key shortcuts: one switch for all pages, and the page that lists them.
(() => {
  const areOn = () => document.documentElement.dataset.keys !== "off";

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
    if (!dialog) location.assign(document.getElementById("shortcuts-link").href);
    else if (!dialog.open) dialog.showModal();
    return true;
  });
})();

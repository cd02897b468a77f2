// The review queue: a key presses the button that carries it. What it does is the server's affair.
(() => {
  const press = (selector) => {
    const button = document.querySelector(`#review ${selector}`);
    button?.click();
    return Boolean(button);
  };

  window.onSingleKey?.((key) => "aresu".includes(key) && press(`[data-key="${key}"]`));

  // In a field single keys are letters: there Ctrl+Enter does what the field was asked for.
  document.addEventListener("keydown", (event) => {
    const isMeant = event.key === "Enter" && (event.ctrlKey || event.metaKey);
    if (isMeant && event.target.matches("#review textarea, #review input") && press("[data-pending]")) {
      event.preventDefault();
    }
  });
})();

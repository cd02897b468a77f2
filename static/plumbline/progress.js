// The elapsed time ticks here, so that a poll without news can be answered "not modified".
(() => {
  const two = (number) => String(number).padStart(2, "0");

  const tick = () => {
    const clock = document.getElementById("elapsed");
    if (!clock) return;
    const seconds = Math.max(0, Math.floor((Date.now() - Date.parse(clock.dataset.since)) / 1000));
    clock.textContent = `${Math.floor(seconds / 60)}:${two(seconds % 60)}`;
  };

  tick();
  setInterval(tick, 1000);
  document.addEventListener("htmx:after:swap", tick);
})();

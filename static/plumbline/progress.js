// A run at work: its clock, what is read aloud, and the switch for more of it.
(() => {
  const QUIET = 15000; // between two announcements of the stage
  const two = (number) => String(number).padStart(2, "0");

  // The elapsed time ticks here, so that a poll without news can be answered "not modified".
  const tick = () => {
    const clock = document.getElementById("elapsed");
    if (!clock) return;
    const seconds = Math.max(0, Math.floor((Date.now() - Date.parse(clock.dataset.since)) / 1000));
    clock.textContent = `${Math.floor(seconds / 60)}:${two(seconds % 60)}`;
  };

  tick();
  setInterval(tick, 1000);
  document.addEventListener("htmx:after:swap", tick);

  // Once a change was announced, others within the quiet time are only shown; the last of them is said after it.
  const stage = document.getElementById("stage");
  let said = stage?.textContent.trim();
  let isQuiet = false;

  const announced = () => {
    const text = stage.textContent.trim();
    if (isQuiet || text === said) return;
    said = text;
    isQuiet = true;
    setTimeout(() => stage.setAttribute("aria-live", "off"), 1000); // by then it is on its way
    setTimeout(speak, QUIET);
  };

  const speak = () => {
    isQuiet = false;
    stage.setAttribute("aria-live", "polite");
    const text = stage.textContent.trim();
    if (text !== said) stage.textContent = text; // put in anew, so that it is announced
  };

  if (stage) new MutationObserver(announced).observe(stage, { childList: true, characterData: true, subtree: true });

  // The switch: from then on, what is new in the list of steps is said.
  const feed = document.getElementById("feed");
  const toggle = document.getElementById("read-updates");
  if (!feed || !toggle) return;
  const lines = () => [...feed.children].map((line) => line.textContent.trim());
  let heard = null; // nothing, while the switch is off

  toggle.hidden = false;
  toggle.addEventListener("click", () => {
    heard = heard ? null : lines();
    toggle.setAttribute("aria-pressed", String(heard !== null));
  });
  document.addEventListener("htmx:after:swap", () => {
    if (!heard) return;
    const now = lines();
    const fresh = now.filter((line) => !heard.includes(line));
    if (fresh.length) document.getElementById("read-aloud").textContent = fresh.reverse().join(". ");
    heard = now;
  });
})();

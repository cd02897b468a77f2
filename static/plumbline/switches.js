// Of every page. A row of tabs that is too long for the window shows the page's own.
for (const tabs of document.querySelectorAll(".tabs")) {
  const here = tabs.querySelector("[aria-current]")?.getBoundingClientRect();
  const row = tabs.getBoundingClientRect();
  if (here) tabs.scrollBy({ left: (here.left + here.right - row.left - row.right) / 2, behavior: "instant" });
}

// Switches (theme, single keys) without a reload: what was typed elsewhere on the page stays. The server stores.
(() => {
  const show = (name, value) => {
    const root = document.documentElement;
    if (name === "theme" && value === "system") delete root.dataset.theme;
    else root.dataset[name] = value;
    if (name === "theme") {
      document.querySelector('meta[name="color-scheme"]').content = value === "system" ? "light dark" : value;
    }
    for (const button of document.querySelectorAll(`[data-switch="${name}"] button[name="${name}"]`)) {
      button.setAttribute("aria-pressed", String(button.value === value));
    }
  };

  document.addEventListener("submit", async (event) => {
    const form = event.target;
    const name = form.dataset.switch;
    if (!name || !event.submitter) return;
    event.preventDefault();
    try {
      const answer = await fetch(form.action, {
        method: "POST",
        body: new FormData(form, event.submitter),
        redirect: "manual", // the page that it leads back to is this one
      });
      if (answer.type !== "opaqueredirect") throw new Error(`answered ${answer.status}`);
      show(name, event.submitter.value);
    } catch {
      event.submitter.form.submit(); // the server's own words say what is wrong
    }
  });
})();

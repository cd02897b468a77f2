// Keys and views of a deck. Without it the slides stand one below the other, and nothing is missing.
"use strict";
(() => {
  const body = document.body;
  const frames = [...document.querySelectorAll(".frame")];
  const at = document.querySelector(".at");
  const keys = document.querySelector(".keys");
  const charts = document.getElementById("charts");
  const figures = charts ? JSON.parse(charts.textContent) : {};
  const drawn = new Map();
  let now = 0;

  const is = (view) => body.classList.contains(view);

  function show(index, { focus = false } = {}) {
    now = Math.max(0, Math.min(frames.length - 1, index));
    frames.forEach((frame, place) => frame.classList.toggle("now", place === now));
    at.textContent = `${now + 1} / ${frames.length}`;
    if (location.hash !== `#slide-${now + 1}`) history.replaceState(null, "", `#slide-${now + 1}`);
    if (is("overview")) frames[now].scrollIntoView({ block: "nearest" });
    else draw(frames[now].querySelector("[data-chart]"));
    if (focus) frames[now].focus({ preventScroll: true });
  }

  function view(name, on = !is(name)) {
    if (name === "overview") {
      body.classList.toggle("overview", on);
      body.classList.toggle("playing", !on);
    } else body.classList.toggle(name, on);
    if (name === "noting" && on) view("overview", false);
    keys.querySelector('[data-do="overview"]').setAttribute("aria-pressed", is("overview"));
    keys.querySelector('[data-do="notes"]').setAttribute("aria-pressed", is("noting"));
    show(now);
  }

  function draw(figure) {
    if (!figure || !window.Chart || drawn.has(figure)) return;
    const config = figures[figure.dataset.chart];
    if (!config) return;
    const canvas = document.createElement("canvas");
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", figure.querySelector("svg").getAttribute("aria-label"));
    figure.append(canvas);
    figure.classList.add("drawn");
    drawn.set(figure, new Chart(canvas, options(config, figure)));
  }

  // The same drawing as the SVG beneath, with figures where the pointer is.
  function options(config, figure) {
    const style = getComputedStyle(document.documentElement);
    const colour = (name) => style.getPropertyValue(name).trim();
    const size = () => (20 * figure.closest(".slide").clientWidth) / 1280;
    const series = [1, 2, 3, 4, 5].map((place) => colour(`--series-${place}`));
    const round = config.kind === "pie" || config.kind === "doughnut";
    const lying = config.kind === "bar" && config.datasets.length === 1;
    const font = () => ({ family: colour("--body"), size: size() });
    const said = (value) => config.said[String(value)] ?? String(value);
    const short = (label) => (label.length > 26 ? `${label.slice(0, 25)}…` : label);
    const scale = (shown) => ({
      display: shown, offset: true, grid: { display: false }, border: { display: shown, color: colour("--muted") },
      grace: "12%", beginAtZero: true,
      ticks: { color: colour("--text"), font, autoSkip: false, maxRotation: 0, callback(value) { return short(this.getLabelForValue(value)); } },
    });
    const hidden = { display: false, beginAtZero: true, grace: "12%" };
    return {
      type: config.kind,
      data: {
        labels: config.labels,
        datasets: config.datasets.map((one, place) => ({
          label: one.label, data: one.values, borderWidth: round ? 3 : config.kind === "line" ? 4 : 0,
          backgroundColor: round ? series : series[place % 5], borderColor: round ? colour("--ground") : series[place % 5],
          pointRadius: 5, spanGaps: false, categoryPercentage: 0.8, barPercentage: lying ? 0.78 : 0.95, maxBarThickness: lying ? 40 : undefined,
        })),
      },
      options: {
        animation: false, maintainAspectRatio: false, responsive: true, indexAxis: lying ? "y" : "x", locale: document.documentElement.lang || "en",
        layout: { padding: { top: lying ? 0 : 24, right: lying ? 24 : 0 } },
        scales: round ? {} : lying ? { x: hidden, y: scale(true) } : { x: scale(true), y: hidden },
        plugins: {
          legend: {
            display: round || config.datasets.length > 1, position: round ? "right" : "top", align: round ? "center" : "start",
            labels: { color: colour("--text"), font, boxWidth: 20, padding: 18, ...(round ? { generateLabels: (chart) => parts(chart, series, said) } : {}) },
          },
          tooltip: { callbacks: { label: (item) => `${item.dataset.label}: ${said(item.raw)}` }, bodyFont: font, titleFont: font },
        },
      },
      plugins: round ? [] : [{ id: "figures", afterDatasetsDraw: (chart) => figuresOn(chart, { lying, said, font, ink: colour("--text"), plain: config.datasets.length > 1 }) }],
    };
  }

  function parts(chart, series, said) {
    const values = chart.data.datasets[0].data;
    const total = values.reduce((sum, value) => sum + (value || 0), 0) || 1;
    return chart.data.labels.map((label, index) => ({
      text: `${label}   ${said(values[index])} · ${Math.round((100 * (values[index] || 0)) / total)}%`,
      fillStyle: series[index % 5], strokeStyle: series[index % 5], fontColor: chart.options.plugins.legend.labels.color, index,
    }));
  }

  function figuresOn(chart, { lying, said, font, ink, plain }) {
    const context = chart.ctx;
    const { family, size } = font();
    context.save();
    context.font = `700 ${size}px ${family}`;
    context.fillStyle = ink;
    context.textBaseline = "middle";
    chart.data.datasets.forEach((dataset, index) => {
      chart.getDatasetMeta(index).data.forEach((mark, place) => {
        const value = dataset.data[place];
        if (value === null || value === undefined) return;
        const text = said(value);
        const below = value < 0;
        if (plain && context.measureText(text).width > (mark.width ?? 60) + 6) return;
        context.textAlign = lying ? (below ? "right" : "left") : "center";
        if (lying) context.fillText(text, mark.x + (below ? -10 : 10), mark.y);
        else context.fillText(text, mark.x, mark.y + (below ? size : -size * 0.8));
      });
    });
    context.restore();
  }

  // What may be rewritten in the file itself, and the file as it is then.
  const written = ".title > span, .body p, .body li, .left li, .right li, .quote p, .subtitle, .caption, .attribution, .left_heading, .right_heading, .behind p";

  function edit(on = !is("editing")) {
    body.classList.toggle("editing", on);
    document.querySelectorAll(written).forEach((one) => {
      if (on) one.contentEditable = "true";
      else one.removeAttribute("contenteditable");
    });
    keys.querySelector('[data-do="edit"]').setAttribute("aria-pressed", on);
    keys.querySelector('[data-do="save"]').hidden = !on;
  }

  function save() {
    edit(false);
    const copy = document.documentElement.cloneNode(true);
    copy.querySelectorAll("canvas").forEach((one) => one.remove());
    copy.querySelectorAll(".now, .drawn").forEach((one) => one.classList.remove("now", "drawn"));
    copy.querySelectorAll(".frame").forEach((one) => one.removeAttribute("tabindex"));
    copy.querySelector("body").removeAttribute("class");
    copy.querySelector(".keys").hidden = true;
    copy.querySelector(".at").textContent = "";
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([`<!doctype html>\n${copy.outerHTML}`], { type: "text/html" }));
    link.download = `${document.title.slice(0, 60) || "slides"}.html`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  }

  const acts = {
    back: () => show(now - 1), on: () => show(now + 1), overview: () => view("overview"), notes: () => view("noting"),
    print: () => window.print(), edit: () => edit(), save,
  };
  const pressed = {
    ArrowRight: acts.on, ArrowDown: acts.on, PageDown: acts.on, " ": acts.on, ArrowLeft: acts.back, ArrowUp: acts.back,
    PageUp: acts.back, Home: () => show(0), End: () => show(frames.length - 1), o: acts.overview, n: acts.notes, p: acts.print, e: acts.edit,
    Escape: () => { edit(false); view("noting", false); view("overview", false); },
    Enter: () => { if (is("overview")) view("overview", false); },
  };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.isContentEditable && event.key !== "Escape") return;
    const own = event.target.closest("button, a, summary");
    if (own && (event.key === " " || event.key === "Enter")) return;
    if (event.target.closest(".behind, .scrolled") && event.key.startsWith("Arrow")) return;
    const act = pressed[event.key] || pressed[event.key.toLowerCase()];
    if (!act) return;
    event.preventDefault();
    act();
  });
  keys.addEventListener("click", (event) => acts[event.target.closest("button")?.dataset.do]?.());
  frames.forEach((frame, place) => {
    frame.tabIndex = -1;
    frame.addEventListener("click", (event) => {
      if (is("overview")) {
        event.preventDefault();
        show(place);
        view("overview", false);
      }
    });
  });
  addEventListener("hashchange", follow);
  addEventListener("resize", () => drawn.forEach((chart) => chart.update()));

  function follow() {
    const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const frame = target && target.closest(".frame");
    if (frame) show(frames.indexOf(frame), { focus: true });
  }

  keys.hidden = false;
  body.classList.add("playing");
  show(0);
  follow();
})();

// Draws the one diagram of its page, and tells the page around it how high it is. Without the library the source stays.
"use strict";

(async () => {
  const source = document.getElementById("source");
  const drawing = document.getElementById("drawing");
  const tell = () => window.parent.postMessage({ diagramHeight: document.body.getBoundingClientRect().bottom }, "*");
  if (window.mermaid) {
    const isDark = window.matchMedia("(prefers-color-scheme: dark)").matches;
    window.mermaid.initialize({
      startOnLoad: false,
      securityLevel: "strict",
      suppressErrorRendering: true, // else a picture of a bomb stays in the page
      // What a diagram says of itself may change none of these: a source's own would load pictures and styles.
      secure: [
        "secure", "securityLevel", "startOnLoad", "maxTextSize", "maxEdges", "suppressErrorRendering",
        "themeCSS", "htmlLabels", "fontFamily", "altFontFamily",
      ],
      theme: isDark ? "dark" : "neutral",
      htmlLabels: false,
      flowchart: { htmlLabels: false, useMaxWidth: true },
    });
    try {
      const { svg } = await window.mermaid.render("diagram", source.textContent);
      drawing.innerHTML = svg;
      document.body.classList.add("is-drawn");
    } catch {
      drawing.replaceChildren(); // what it does not understand is shown as it was written
    }
  }
  tell();
})();

// Gives the frame of a diagram the height that it asks for, within bounds.
"use strict";

addEventListener("message", (event) => {
  const height = Number(event.data?.diagramHeight);
  if (!Number.isFinite(height)) return;
  for (const frame of document.querySelectorAll(".diagram iframe")) {
    if (frame.contentWindow === event.source) {
      frame.style.height = `${Math.min(1200, Math.max(80, Math.ceil(height) + 4))}px`;
    }
  }
});

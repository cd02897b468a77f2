// Brings the passage that was asked for into view, also when the address carries no fragment.
(() => {
  const passage = document.querySelector("mark.current");
  if (passage && !location.hash) passage.scrollIntoView({ block: "center", behavior: "instant" });
})();

// Fields in which a row is found by typing get the name of their label: the widget gives them none.
// jQuery calls this after the widgets' own beginning, which it was told of before.
window.django?.jQuery(($) => {
  const nameOf = (select) => {
    const label = select.id && document.querySelector(`label[for="${CSS.escape(select.id)}"]`);
    return label ? label.textContent.replace(/:?\s*$/, "").trim() : "";
  };

  for (const select of document.querySelectorAll("select.admin-autocomplete")) {
    const label = nameOf(select);
    const widget = select.nextElementSibling;
    if (!label || !widget) continue;
    for (const part of widget.querySelectorAll(".select2-selection, .select2-selection__rendered")) {
      part.setAttribute("aria-label", label);
    }
  }

  $(document).on("select2:open", (event) => {
    const field = document.querySelector(".select2-container--open .select2-search__field");
    field?.setAttribute("aria-label", nameOf(event.target));
    field?.focus();
  });
});

// A hint that is only a picture says so, or its words count for nothing.
addEventListener("load", () => {
  for (const hint of document.querySelectorAll("span.help-tooltip[aria-label]")) hint.setAttribute("role", "img");
});

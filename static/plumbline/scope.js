// The folders that a question is asked of: the whole library and single folders exclude each other, and the line above
// says at once what is ticked. Without it the boxes do the same, and the server says what was meant.
document.addEventListener("change", (event) => {
  const box = event.target;
  const scope = box.name === "folders" && box.closest(".scope");
  if (!scope) return;
  const boxes = [...scope.querySelectorAll('[name="folders"]')];
  const whole = boxes.find((one) => one.value === "all");
  if (whole && box.checked) {
    for (const one of boxes) if ((one === whole) !== (box === whole)) one.checked = false;
  }
  if (whole && !boxes.some((one) => one.checked)) whole.checked = true;
  const ticked = boxes.filter((one) => one.checked && one !== whole);
  const words = ticked.map((one) => one.closest("label").textContent.trim()).join(", ");
  scope.querySelector("[data-scope-words]").textContent = words || scope.dataset.whole;
});

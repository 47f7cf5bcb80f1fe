// Shows the table and reports the cell that was pressed.

export default function (component) {
  const { data, parentElement, setTriggerValue } = component;
  const place = parentElement.querySelector(".vstg-paper");
  const active = document.activeElement?.dataset?.cell;
  const left = place.scrollLeft;
  place.innerHTML = data.html;
  place.scrollLeft = left;
  if (active) place.querySelector(`[data-cell="${active}"]`)?.focus();
  place.onclick = (event) => {
    const button = event.target.closest("[data-cell]");
    if (button) setTriggerValue("cell", button.dataset.cell);
  };
}

// Shows the tables and reports the entry that was clicked.

export default function (component) {
  const { data, parentElement, setTriggerValue } = component;
  const place = parentElement.querySelector(".learn-toy");
  const active = document.activeElement?.dataset?.cell;
  place.innerHTML = data.html;
  if (active) place.querySelector(`[data-cell="${active}"]`)?.focus();
  place.onclick = (event) => {
    const button = event.target.closest("[data-cell]");
    if (button) setTriggerValue("cell", button.dataset.cell);
  };
}

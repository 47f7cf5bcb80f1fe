// Shows the tables, reports the entry that was clicked, and says what follows from it.

const PARTS = '<div></div><p aria-live="polite"></p>';
const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

export default function (component) {
  const { data, parentElement, setTriggerValue } = component;
  const place = parentElement.querySelector(".learn-toy");
  const active = document.activeElement?.dataset?.cell;
  if (!place.firstChild) {
    place.innerHTML = PARTS;
  }
  const [tables, said] = place.children;
  tables.innerHTML = data.html;
  if (said.textContent !== data.said) said.textContent = data.said;
  if (active) tables.querySelector(`[data-cell="${active}"]`)?.focus();
  tables.onclick = (event) => {
    const button = event.target.closest("[data-cell]");
    if (button) setTriggerValue("cell", button.dataset.cell);
  };
  tables.onkeydown = (event) => {
    const cell = event.target.dataset?.cell?.split(","), step = STEPS[event.key];
    if (!cell || !step) return;
    event.preventDefault();
    const [matrix, i, j] = cell;
    tables.querySelector(`[data-cell="${matrix},${+i + step[0]},${+j + step[1]}"]`)?.focus();
  };
}

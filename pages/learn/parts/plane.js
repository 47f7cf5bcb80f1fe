// A plane with a point to drag. Its prox is looked up in a lattice of values that the
// library worked out, so nothing is computed here.

const SVG = "http://www.w3.org/2000/svg";
const clamp = (x, low, high) => Math.min(Math.max(x, low), high);
const show = (x) => (Math.abs(x) < 5e-4 ? "0" : x.toFixed(2).replace(/\.?0+$/, "").replace("-", "−"));

function floats(text) {
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  return new Float32Array(bytes.buffer);
}

function add(parent, name, attributes) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return parent.appendChild(element);
}

function background(svg, state) {
  const { data, values, reach } = state;
  const n = data.count, step = data.step;
  const isZero = (i, j) => (data.zero[(i * n + j) >> 3] >> (7 - ((i * n + j) & 7))) & 1;
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      if (isZero(i, j)) {
        add(svg, "rect", { x: -reach + i * step - step / 2, y: reach - j * step - step / 2, width: step, height: step, class: "zero" });
      }
    }
  }
  add(svg, "path", { d: `M ${-reach} 0 H ${reach} M 0 ${-reach} V ${reach}`, class: "axis" });
  for (let i = 0; i < n; i += 6) {
    for (let j = 0; j < n; j += 6) {
      const x = -reach + i * step, y = -reach + j * step, at = 2 * (i * n + j);
      add(svg, "line", { x1: x, y1: -y, x2: values[at], y2: -values[at + 1], class: "flow" });
      add(svg, "circle", { cx: values[at], cy: -values[at + 1], r: 0.028, class: "flow-end" });
    }
  }
  for (const value of [-2, 2]) {
    add(svg, "text", { x: value, y: 0.24, class: "tick" }).textContent = show(value);
    add(svg, "text", { x: -0.2, y: -value + 0.08, class: "tick" }).textContent = show(value);
  }
  add(svg, "text", { x: reach - 0.15, y: -0.12, class: "tick" }).textContent = "a₁";
  add(svg, "text", { x: 0.2, y: -reach + 0.25, class: "tick" }).textContent = "a₂";
}

function move(state, i, j) {
  const { data, values, reach, svg } = state;
  const n = data.count;
  state.i = clamp(i, 0, n - 1);
  state.j = clamp(j, 0, n - 1);
  const at = 2 * (state.i * n + state.j);
  const a = [-reach + state.i * data.step, -reach + state.j * data.step];
  const p = [values[at], values[at + 1]];
  state.arrow.setAttribute("d", `M ${a[0]} ${-a[1]} L ${p[0]} ${-p[1]}`);
  state.from.setAttribute("cx", a[0]);
  state.from.setAttribute("cy", -a[1]);
  state.to.setAttribute("cx", p[0]);
  state.to.setAttribute("cy", -p[1]);
  const words = { a1: show(a[0]), a2: show(a[1]), p1: show(p[0]), p2: show(p[1]) };
  const text = data.words.readout.replace(/\{(\w+)\}/g, (_, key) => words[key]);
  state.readout.textContent = text;
  svg.setAttribute("aria-valuetext", text);
  svg.setAttribute("aria-valuenow", a[0].toFixed(1)); // a slider has one number; the text has all
  state.readout.setAttribute("aria-live", document.activeElement === svg ? "off" : "polite");
  svg.dataset.point = JSON.stringify([...a, ...p].map((x) => Number(x.toFixed(4))));
}

function toLattice(state, event) {
  const box = state.svg.getBoundingClientRect();
  const { reach, data } = state, span = 2 * reach;
  const x = ((event.clientX - box.left) / box.width) * span - reach;
  const y = reach - ((event.clientY - box.top) / box.height) * span;
  return [Math.round((x + reach) / data.step), Math.round((y + reach) / data.step)];
}

export default function (component) {
  const { data, parentElement } = component;
  const place = parentElement.querySelector(".learn-plane");
  const before = place.state;
  const reach = data.reach;
  place.querySelector("svg")?.remove();
  const svg = add(place, "svg", {
    viewBox: `${-reach} ${-reach} ${2 * reach} ${2 * reach}`, tabindex: 0, role: "slider",
    "aria-label": data.words.drag, "aria-valuemin": -reach, "aria-valuemax": reach,
  });
  if (!before) place.append(document.createElement("p"), document.createElement("small"));
  const readout = place.querySelector("p"); // kept, so that a change of it is announced
  place.prepend(svg);
  place.querySelector("small").textContent = data.words.drag;
  const state = { data, reach, svg, readout, values: floats(data.values) };
  background(svg, state);
  state.arrow = add(svg, "path", { class: "arrow" });
  state.from = add(svg, "circle", { r: 0.11, class: "from" });
  state.to = add(svg, "circle", { r: 0.09, class: "to" });
  const at = (value) => Math.round((value + reach) / data.step);
  move(state, before?.i ?? at(2), before?.j ?? at(1));
  let dragging = false;
  svg.onpointerdown = (event) => {
    dragging = true;
    svg.setPointerCapture(event.pointerId);
    move(state, ...toLattice(state, event));
  };
  svg.onpointermove = (event) => dragging && move(state, ...toLattice(state, event));
  svg.onpointerup = svg.onpointercancel = () => (dragging = false);
  svg.onkeydown = (event) => {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    if (!step) return;
    event.preventDefault();
    move(state, state.i + step[0], state.j + step[1]);
  };
  place.state = state;
}

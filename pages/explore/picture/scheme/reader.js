// What the reader of the picture does: look, choose a cell, see a part of the tasks.

function locate(state, event) {
  const box = state.canvas.getBoundingClientRect();
  const x = event.clientX - box.left, y = event.clientY - box.top;
  const sizes = { U: ["variables", "bases"], V: ["bases", "tasks"], W: ["variables", "tasks"] };
  const data = state.shown, { strip, bars, estimate } = state.at;
  const symbol = state.symbols.find(([left, top, width]) => x >= left && x < left + width && y >= top && y < top + 18);
  if (symbol) return { name: "symbol", letter: symbol[3], x, y };
  if (x >= strip.x && x < strip.x + strip.w && y >= strip.y && y < strip.y + strip.h) {
    return { name: "group", j: Math.floor(((x - strip.x) * data.tasks.length) / strip.w), x, y };
  }
  if (x < bars.x + bars.w && y >= bars.y && y < bars.y + bars.h) {
    const i = Math.floor(((y - bars.y) * data.variables.length) / bars.h);
    return { name: "variable", i, row: data.variables[i], x, y };
  }
  if (y >= estimate.W.y + estimate.W.h && x >= estimate.W.x && x < estimate.W.x + estimate.W.w) {
    const j = Math.floor(((x - estimate.W.x) * data.tasks.length) / estimate.W.w);
    return { name: "task", j, column: data.tasks[j], x, y };
  }
  for (const [panel, factors, star] of [[estimate, data.estimate, ""], [state.at.truth, data.truth, "*"]]) {
    if (!panel) continue;
    for (const [name, [down, across]] of Object.entries(sizes)) {
      const p = panel[name];
      if (x < p.x || y < p.y || x >= p.x + p.w || y >= p.y + p.h) continue;
      const rows = data[down], across_names = data[across];
      const i = Math.floor(((y - p.y) * rows.length) / p.h), j = Math.floor(((x - p.x) * across_names.length) / p.w);
      return { name, star, i, j, row: rows[i], column: across_names[j], value: factors[name].z[i * across_names.length + j], x, y };
    }
  }
  return null;
}

function words(state, hit) {
  const { group_names, words: said } = state.data, { groups } = state.shown;
  if (hit.name === "variable") {
    const sure = state.data.sure_variables;
    return sure ? `${hit.row}\n${percent(sure[hit.i])} ${said.sure_variable}` : hit.row;
  }
  if (hit.name === "task") return hit.column;
  if (hit.name === "symbol") return said.terms[hit.letter];
  if (hit.name === "group") {
    const group = groups[hit.j], [start, stop] = stretch(groups, hit.j);
    const sure = group < 0 ? null : state.data.sure_groups;
    const label = group < 0 ? "–" : group_names[group] + (sure ? ` · ${percent(sure[group])} ${said.sure_group}` : "");
    const size = tasksOf(state, hit.j);
    if (size > 1) return `${label} · ${size}${group < 0 ? "" : `\n${said.open}`}`;
    return `${label} · ${stop - start}\n${state.span ? said.zoom_out : said.zoom_in}`;
  }
  const value = hit.value === 0 ? "0 (exactly)" : Number(hit.value.toPrecision(4)).toString();
  const mean = hit.name !== "U" && tasksOf(state, hit.j) > 1 ? `${said.mean} ` : "";
  return `${hit.row} · ${hit.column}\n${mean}${hit.name.toLowerCase()}${hit.star} = ${value}`;
}

// How many tasks column j of what is shown stands for.
function tasksOf(state, j) {
  const { sizes } = state.data;
  return sizes ? sizes[j + (state.span ? state.span[0] : 0)] : 1;
}

function tell(state, event) {
  const hit = locate(state, event);
  state.tip.style.visibility = hit ? "visible" : "hidden";
  if (!hit) return;
  state.tip.textContent = words(state, hit);
  const right = hit.x > state.canvas.clientWidth - 150;
  state.tip.style.left = right ? "auto" : `${hit.x + 14}px`;
  state.tip.style.right = right ? `${state.canvas.clientWidth - hit.x + 14}px` : "auto";
  state.tip.style.top = `${hit.y + 14}px`;
}

function zoom(state, span) {
  state.span = span;
  state.tip.style.visibility = "hidden";
  draw(state);
}

// A column of several tasks is opened by a click or by Enter, not in passing.
function choose(state, i, j, opens = false) {
  const { data } = state;
  state.cell = [clamp(i, 0, data.variables.length - 1), clamp(j, 0, data.tasks.length - 1)];
  const [row, column] = state.cell;
  if (state.span && (column < state.span[0] || column >= state.span[1])) state.span = null;
  draw(state);
  clearTimeout(state.timer);
  if (!opens && data.sizes && data.sizes[column] > 1) return;
  state.timer = setTimeout(() => state.send("cell", [data.variables[row], data.tasks[column]]), 30);
}

const KEYS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

function start(root) {
  const canvas = document.createElement("canvas"), tip = document.createElement("div");
  canvas.tabIndex = 0;
  canvas.setAttribute("role", "img");
  tip.className = "scheme-tip";
  tip.setAttribute("aria-hidden", "true");
  root.append(canvas, tip);
  const state = { canvas, tip, data: null, cell: null, span: null };
  canvas.addEventListener("mousemove", (event) => tell(state, event));
  canvas.addEventListener("mouseleave", () => (tip.style.visibility = "hidden"));
  canvas.addEventListener("click", (event) => {
    const hit = locate(state, event);
    if (hit && hit.name === "symbol") tell(state, event);
    if (hit && hit.name === "W") choose(state, hit.i, hit.j + (state.span ? state.span[0] : 0), true);
    if (hit && hit.name === "group" && tasksOf(state, hit.j) > 1) {
      choose(state, state.cell ? state.cell[0] : 0, hit.j + (state.span ? state.span[0] : 0), true);
    } else if (hit && hit.name === "group") zoom(state, state.span ? null : stretch(state.data.groups, hit.j));
  });
  canvas.addEventListener("keydown", (event) => {
    const move = KEYS[event.key];
    if (["+", "=", "-", "0"].includes(event.key)) {
      const task = state.cell ? state.cell[1] : 0;
      zoom(state, event.key === "0" ? null : zoomed(state.data, state.span, task, event.key !== "-"));
    }
    const [i, j] = state.cell || [0, 0];
    if (event.key === "Enter") choose(state, i, j, true);
    if (!move) return;
    event.preventDefault();
    choose(state, i + move[0], j + move[1]);
  });
  const redraw = () => state.data && draw(state);
  new ResizeObserver(redraw).observe(root);
  window.addEventListener("resize", redraw);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => setTimeout(redraw, 100));
  return state;
}

function decoded({ estimate, truth, ...rest }) {
  const factors = (f) => f && { U: decode(f.U), V: decode(f.V), W: decode(f.W) };
  return { ...rest, estimate: factors(estimate), truth: factors(truth) };
}

function receive(component) {
  const root = component.parentElement.querySelector(".scheme");
  const state = (root.scheme ??= start(root));
  state.send = component.setTriggerValue;
  state.go = (where) => component.setTriggerValue("go", where);
  listen();
  arrive(state, component.data);
}

export default function () {
  window.vstgDraw ??= receive;
  window.dispatchEvent(new Event("vstg-code"));
}

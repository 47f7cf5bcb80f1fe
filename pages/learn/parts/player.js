// Moves through the places of a figure and says in words what it shows. The slider and
// the buttons are the browser's own, so that every key works. Where the figure is, only
// the figure knows: with another setting it comes back at its opening place, and is led
// to the chosen one again.

const AT_ONCE = { mode: "immediate", frame: { duration: 0, redraw: true }, transition: { duration: 0 } };

const CONTROLS =
  '<div class="bar" role="group"><button type="button" data-do="back"></button>' +
  '<button type="button" data-do="play"></button><button type="button" data-do="step"></button>' +
  '<input type="range" min="0" step="1"><output></output></div><p aria-live="polite"></p>';

function build(root) {
  root.innerHTML = CONTROLS;
}

function where(root) {
  const place = root.graph?.layout?.meta?.place ?? 0;
  return Math.min(place, root.told.texts.length - 1);
}

function say(root) {
  const { labels, texts, words } = root.told, place = where(root);
  const [range, now, line] = ["input", "output", "p"].map((name) => root.querySelector(name));
  range.value = place;
  range.setAttribute("aria-valuetext", labels[place] ?? "");
  now.textContent = labels[place] ?? "";
  if (line.textContent !== texts[place]) line.textContent = texts[place];
  line.setAttribute("aria-live", root.timer ? "off" : "polite"); // a film is not read aloud
  root.querySelector("[data-do=play]").textContent = root.timer ? words.pause : words.play;
  root.graph?.closest("[role]")?.setAttribute("aria-label", texts[place]);
}

function go(root, place) {
  const to = Math.max(0, Math.min(place, root.told.texts.length - 1));
  root.chosen = to;
  if (!root.graph || to === where(root)) return say(root);
  // Rejected, with nothing, where another step interrupts it.
  Promise.resolve(window.Plotly.animate(root.graph, [String(to)], AT_ONCE)).then(() => say(root), () => {});
}

function stop(root) {
  clearInterval(root.timer);
  root.timer = null;
  say(root);
}

function play(root) {
  if (root.timer) return stop(root);
  const last = root.told.texts.length - 1;
  root.timer = setInterval(() => {
    if (!root.isConnected || where(root) === last) stop(root); else go(root, where(root) + 1);
  }, root.told.milliseconds);
  go(root, where(root) === last ? 0 : where(root) + 1);
  say(root);
}

// plotly's script may still be on its way, and a new picture has a new element.
function follow(root) {
  if (!root.isConnected) return;
  const graph = document.querySelector(`.st-key-${root.told.chart} .js-plotly-plot`);
  if (!graph?._fullLayout || !graph.on) {
    root.graph = null;
    requestAnimationFrame(() => follow(root));
    return;
  }
  const settle = () => root.graph === graph && go(root, root.chosen ?? where(root));
  if (root.graph !== graph) graph.on("plotly_afterplot", settle);
  root.graph = graph;
  root.dataset.ready = root.told.chart;
  settle();
}

export default function (component) {
  const { data, parentElement } = component;
  const root = parentElement.querySelector(".learn-player");
  if (!root.firstChild) build(root);
  if (JSON.stringify(root.told) === JSON.stringify(data)) return;
  if (String(root.told?.labels) !== String(data.labels)) root.chosen = null;
  root.told = data;
  delete root.dataset.ready;
  const { labels, words } = data, range = root.querySelector("input");
  root.querySelector(".bar").hidden = labels.length < 2;
  root.querySelector(".bar").setAttribute("aria-label", words.player);
  root.querySelector("[data-do=back]").textContent = words.back;
  root.querySelector("[data-do=step]").textContent = words.step;
  range.max = Math.max(labels.length - 1, 0);
  range.setAttribute("aria-label", words.slider);
  range.oninput = () => go(root, Number(range.value));
  const acts = { back: () => go(root, where(root) - 1), step: () => go(root, where(root) + 1), play: () => play(root) };
  root.querySelectorAll("[data-do]").forEach((button) => { button.onclick = acts[button.dataset.do]; });
  stop(root);
  follow(root);
}

// The picture follows a slider, or a finger on its curve, by frames that are here already.
// What the server sends meanwhile for older positions is not shown: only the newest counts.

const SLIDERS = ["K", "k", "g1", "g2", "mu", "cut"];
const REST = 450; // milliseconds after the last key until the slider is set
const HOLD = 5000; // and after the last movement until the server is believed again
const STEP = 220; // of Play
const LOOKS = 4; // frames in which a slider takes its new value

// Of the window: the script may be loaded again while its listeners stay.
const scrub = (window.vstgScrub ??= { state: null, local: null, asked: "", waiting: null, timer: 0, playing: 0, drag: null, focused: null, listens: false });

const framesOf = (key) => (window.vstgFrames?.key === key ? window.vstgFrames : null);
const curveOf = (key) => document.querySelector(`.vstg-curve[data-key="${key}"]`);

function keyOf(element) {
  const curve = element.closest?.(".vstg-curve[data-key]");
  if (curve) return curve.dataset.key;
  return element.closest?.("[data-testid=stSlider]") ? SLIDERS.find((key) => element.closest(`.st-key-${key}`)) : undefined;
}

// Ask for the frames of a slider that somebody turns to, once until they come.
function wish(key) {
  if (!key || framesOf(key) || scrub.asked === key || !window.vstgFrames?.possible) return;
  scrub.asked = key;
  window.vstgFrames.ask(key);
}

function put(place, data) {
  place.innerHTML = data.html;
}

function showFrame(frame) {
  const { state } = scrub;
  frame.decoded ??= decoded(frame.picture);
  state.data = frame.decoded;
  state.cell = frame.decoded.cell;
  draw(state);
  for (const [selector, data] of Object.entries(frame.parts)) {
    const place = document.querySelector(`.st-key-explore ${selector}`)?.parentElement;
    if (place) put(place, data);
  }
}

// Where the positions of a curve stand: [position, height in per cent].
const points = (curve) => (curve?.dataset.points || "").split(",").filter(Boolean).map((text) => text.split(" ").map(Number));

function mark(key, position) {
  const curve = curveOf(key);
  if (!curve) return;
  const handle = curve.querySelector(".scrub"), now = curve.querySelector(".now");
  const [low, high] = ["valuemin", "valuemax"].map((name) => Number(handle.getAttribute(`aria-${name}`)));
  handle.setAttribute("aria-valuenow", position);
  const found = points(curve).find(([place]) => place === position);
  if (!now || !found) return;
  now.style.left = `${(100 * (position - low)) / (high - low)}%`;
  now.style.top = `${found[1]}%`;
}

// Show a position; false where its frame is not here.
function follow(key, position) {
  const ahead = framesOf(key), index = ahead ? ahead.positions.indexOf(position) : -1;
  mark(key, position);
  if (index < 0) return false;
  scrub.local = { key, position, since: performance.now() };
  clearTimeout(scrub.hold);
  scrub.hold = setTimeout(believe, HOLD);
  showFrame(ahead.frames[index]);
  return true;
}

function believe() {
  if (!scrub.local || scrub.drag || scrub.playing) return;
  scrub.local = null;
  if (scrub.state.server) take(scrub.state, scrub.state.server);
}

// The server's picture, or the frame that is newer than it.
function arrive(state, data) {
  scrub.state = state;
  state.server = data;
  requestAnimationFrame(keepFocus);
  const { local } = scrub;
  if (local && !scrub.playing && !scrub.drag && data.at?.[local.key] === local.position) scrub.local = null;
  if (!scrub.local) return take(state, data);
  const ahead = framesOf(local.key), index = ahead ? ahead.positions.indexOf(local.position) : -1;
  if (index >= 0) requestAnimationFrame(() => scrub.local === local && showFrame(ahead.frames[index]));
}

function take(state, data) {
  const same = state.data && state.data.tasks.join("\n") === data.tasks.join("\n");
  if (!same) state.span = null;
  state.data = decoded(data);
  state.cell = data.cell;
  state.canvas.setAttribute("aria-label", data.alt);
  draw(state);
}

// A curve that is drawn anew loses the keyboard: it gets it back.
function keepFocus() {
  if (!scrub.focused || document.activeElement !== document.body) return;
  curveOf(scrub.focused)?.querySelector(".scrub")?.focus({ preventScroll: true });
}

function set(key, position) {
  clearTimeout(scrub.timer);
  scrub.state?.go([key, position]);
}

function stop() {
  clearInterval(scrub.playing);
  scrub.playing = 0;
}

function play(key) {
  const ahead = framesOf(key);
  if (scrub.playing) return stop();
  if (!ahead) {
    scrub.waiting = () => play(key);
    return wish(key);
  }
  const back = scrub.state.server?.at?.[key], path = [...ahead.positions];
  if (path.includes(back)) path.push(back);
  scrub.playing = setInterval(() => {
    if (!path.length) {
      stop();
      return believe();
    }
    follow(key, path.shift());
  }, STEP);
}

// ---- the curve by pointer and by key --------------------------------------

function nearest(curve, event) {
  const box = curve.getBoundingClientRect(), handle = curve.querySelector(".scrub");
  const [low, high] = ["valuemin", "valuemax"].map((name) => Number(handle.getAttribute(`aria-${name}`)));
  const at = low + ((high - low) * (event.clientX - box.left)) / box.width;
  const places = points(curve).map(([place]) => place);
  return places.reduce((best, place) => (Math.abs(place - at) < Math.abs(best - at) ? place : best), places[0]);
}

function pressed(event) {
  const handle = event.target.closest?.(".vstg-curve .scrub");
  if (!handle || event.button) return;
  stop();
  const curve = handle.parentElement, key = curve.dataset.key;
  scrub.drag = { key, position: nearest(curve, event) };
  handle.setPointerCapture(event.pointerId);
  wish(key);
  follow(key, scrub.drag.position);
}

function moved(event) {
  if (!scrub.drag) return;
  const position = nearest(curveOf(scrub.drag.key), event);
  if (position === scrub.drag.position) return;
  scrub.drag.position = position;
  follow(scrub.drag.key, position);
}

function released() {
  if (!scrub.drag) return;
  const { key, position } = scrub.drag;
  scrub.drag = null;
  set(key, position);
}

const MOVES = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, Home: -1e3, End: 1e3 };

function typed(event) {
  const handle = event.target.closest?.(".vstg-curve .scrub");
  if (!handle) return;
  const curve = handle.parentElement, key = curve.dataset.key, places = points(curve).map(([place]) => place);
  const move = MOVES[event.key], now = Number(handle.getAttribute("aria-valuenow"));
  if (event.key === " ") play(key);
  else if (event.key === "Enter") set(key, now);
  else if (!move) return;
  event.preventDefault();
  if (!move) return;
  stop();
  const position = places[clamp(places.indexOf(now) + move, 0, places.length - 1)];
  wish(key);
  follow(key, position);
  clearTimeout(scrub.timer);
  scrub.timer = setTimeout(() => set(key, position), REST);
}

// Streamlit's own slider has no event for a step or a drag under way: its value is looked
// at, until the pointer is up or, after a key, for a few frames.
function watchSlider(event) {
  const key = keyOf(event.target), input = key && !event.target.closest(".vstg-curve")
    && document.querySelector(`.st-key-${key} input[type=range]`);
  if (!input) return;
  let last = input.value, left = event.type === "keydown" ? LOOKS : Infinity;
  const look = () => {
    if (input.value !== last) follow(key, Number((last = input.value)));
    if (left-- > 0) requestAnimationFrame(look);
  };
  addEventListener("pointerup", () => (left = Math.min(left, LOOKS)), { once: true });
  queueMicrotask(look);
}

// On a phone the sliders are in a sheet over the lower half: the picture comes above it.
function keepInView(event) {
  if (window.innerWidth > NARROW || !event.target.closest?.("[data-testid=stSidebar] :is([data-testid=stSlider], .vstg-curve)")) return;
  const canvas = scrub.state?.canvas, box = canvas?.getBoundingClientRect();
  if (box && (box.top < 0 || box.top > 80)) canvas.scrollIntoView({ block: "start" });
}

function listen() {
  if (scrub.listens) return;
  scrub.listens = true;
  const on = (kind, act) => document.addEventListener(kind, act, { capture: true });
  on("pointerover", (event) => {
    const at = `${event.clientX} ${event.clientY}`; // the page may move below a pointer that rests
    if (at !== scrub.pointer) wish(keyOf(event.target));
    scrub.pointer = at;
  });
  on("focusin", (event) => {
    const key = keyOf(event.target);
    scrub.focused = event.target.closest(".scrub") ? key : null;
    wish(key);
  });
  on("pointerdown", keepInView);
  on("focusin", keepInView);
  on("pointerdown", watchSlider);
  on("keydown", watchSlider);
  on("pointerdown", pressed);
  on("pointermove", moved);
  on("pointerup", released);
  on("pointercancel", released);
  on("keydown", typed);
  on("click", (event) => {
    const button = event.target.closest?.(".vstg-curve .play");
    if (button) play(button.parentElement.dataset.key);
  });
  window.addEventListener("vstg-frames", () => {
    scrub.asked = "";
    keepFocus();
    const { waiting, drag, local } = scrub;
    scrub.waiting = null;
    if (drag) follow(drag.key, drag.position);
    else if (waiting && window.vstgFrames.key) waiting();
    else if (!local) wish(keyOf(document.activeElement));
  });
}

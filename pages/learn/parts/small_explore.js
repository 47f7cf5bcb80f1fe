// Explore without a server: looks up a fit that was computed when the file was written.
// `DATA` is put in front of this script.

const $ = (name) => document.getElementById(name);
const bytes = Uint8Array.from(atob(DATA.factors), (c) => c.charCodeAt(0));
const numbers = new Int16Array(bytes.buffer); // little-endian, as on every phone and PC
const D = DATA.n_variables, T = DATA.n_tasks, G = DATA.exponents.length;
const say = (text, values) => text.replace(/\{(\w+)\}/g, (_, key) => values[key]);
const start = []; // where each fit begins in `numbers`
DATA.fits.reduce((at, fit, place) => (start[place] = at, at + DATA.latents[Math.floor(place / (G * G)) % DATA.latents.length] * (D + T)), 0);

function place(cut, K, g1, g2) {
  return ((cut * DATA.latents.length + K) * G + g1) * G + g2;
}

function chosen() {
  return place(+$("cut").checked, +$("K").value, +$("g1").value, +$("g2").value);
}

// U (D rows of K), V (K rows of T) and W = U V of one fit.
function model(which) {
  const fit = DATA.fits[which], K = DATA.latents[Math.floor(which / (G * G)) % DATA.latents.length];
  const at = start[which], U = [], V = [];
  for (let i = 0; i < D; i++) U.push(Array.from(numbers.subarray(at + i * K, at + (i + 1) * K), (n) => n * fit.u));
  for (let r = 0; r < K; r++) V.push(Array.from(numbers.subarray(at + D * K + r * T, at + D * K + (r + 1) * T), (n) => n * fit.v));
  const W = U.map((row) => V[0].map((_, j) => row.reduce((sum, u, r) => sum + u * V[r][j], 0)));
  return { ...fit, K, U, V, W };
}

// Teal is positive, brown negative, and an exact zero is empty, in both colour schemes.
function heat(name, matrix, limit, label) {
  const canvas = $(name), cell = DATA.cell, ratio = window.devicePixelRatio || 1;
  const wide = matrix[0].length * cell, tall = matrix.length * cell;
  canvas.width = wide * ratio;
  canvas.height = tall * ratio;
  canvas.style.width = `${wide}px`;
  const pen = canvas.getContext("2d");
  pen.scale(ratio, ratio);
  matrix.forEach((row, i) => row.forEach((value, j) => {
    if (value === 0) return;
    const share = 0.18 + 0.82 * Math.min(Math.abs(value) / limit, 1);
    pen.fillStyle = `rgba(${value > 0 ? "42,145,135" : "191,129,45"},${share})`;
    pen.fillRect(j * cell + 0.5, i * cell + 0.5, cell - 1, cell - 1);
  }));
  canvas.setAttribute("aria-label", label);
}

const largest = (matrix) => Math.max(1e-9, ...matrix.flat().map(Math.abs));
const nonzero = (matrix) => matrix.flat().filter((value) => value !== 0).length;

function named(items) {
  return items.length ? items.join(", ") : DATA.words.none;
}

function groups(found) {
  const count = Math.max(-1, ...found.groups) + 1, list = $("groups");
  list.replaceChildren(...Array.from({ length: count }, (_, g) => {
    const item = document.createElement("li"), mark = document.createElement("i");
    mark.textContent = DATA.letters[g];
    mark.style.cssText = DATA.styles[g];
    const tasks = found.groups.flatMap((other, j) => (other === g ? [j + 1] : []));
    item.append(mark, ` ${say(DATA.words.tasks, { tasks: tasks.join(", ") })}`);
    return item;
  }));
  return count;
}

// The test error at every γ1 and γ2 for this K: dark is low. A click goes there.
function errors(at) {
  const cells = $("errors").children;
  const all = Array.from(cells, (_, n) => DATA.fits[at - (at % (G * G)) + n].test);
  const low = Math.min(...all), high = Math.max(...all);
  all.forEach((error, n) => {
    const share = 1 - Math.log(error / low) / Math.log(high / low || 2);
    cells[n].style.background = `rgba(42,145,135,${0.08 + 0.8 * share})`;
    cells[n].classList.toggle("here", n === at % (G * G));
  });
  $("lowest").textContent = say(DATA.words.lowest, { error: low.toFixed(3), g1: power(Math.floor(all.indexOf(low) / G)), g2: power(all.indexOf(low) % G) });
}

function power(step) {
  return String(2 ** DATA.exponents[step]);
}

function show() {
  const at = chosen(), found = model(at), words = DATA.words;
  const values = { K: found.K, g1: power(+$("g1").value), g2: power(+$("g2").value) };
  for (const name of ["K", "g1", "g2"]) {
    $(`${name}-now`).textContent = values[name];
    $(name).setAttribute("aria-valuetext", values[name]);
  }
  for (const name of "UVW") {
    const matrix = found[name];
    heat(name, matrix, largest(matrix), say(words.matrix, { name, rows: matrix.length, columns: matrix[0].length, count: nonzero(matrix) }));
  }
  heat("true", DATA.truth, largest(DATA.truth), say(words.matrix, { name: words.truth, rows: D, columns: T, count: nonzero(DATA.truth) }));
  const kept = found.U.flatMap((row, i) => (row.some((u) => u !== 0) ? [i + 1] : []));
  const dropped = found.U.flatMap((row, i) => (row.some((u) => u !== 0) ? [] : [`x${i + 1}`]));
  const count = groups(found);
  $("kept").textContent = say(words.kept, { count: kept.length, of: D });
  $("dropped").textContent = say(words.dropped, { names: named(dropped) });
  $("count").textContent = say(words.groups, { count });
  errors(at);
  $("said").textContent = say(words.said, { ...values, variables: kept.length, groups: count, train: found.train.toFixed(3), test: found.test.toFixed(3) });
}

function resize() {
  const room = Math.min(document.body.clientWidth, 820) - 70;
  DATA.cell = Math.max(8, Math.min(18, Math.floor(room / (Math.max(...DATA.latents) + T))));
  show();
}

for (let n = 0; n < G * G; n++) {
  const cell = $("errors").appendChild(document.createElement("span"));
  cell.onclick = () => { $("g1").value = Math.floor(n / G); $("g2").value = n % G; show(); };
}
for (const name of ["K", "g1", "g2", "cut"]) $(name).oninput = show;
window.onresize = resize;
resize();

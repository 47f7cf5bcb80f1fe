// Draws U, V and W as they are multiplied by hand: V above W, U to its left.
// Gets what vstg.plots.payload prepares; reports the cell that was chosen.

const FOCUS = "#e0a800", FAINT = "rgba(127, 138, 147, 0.35)", PATTERN = "#8c969e";
const NAMES = 46, FOOT = 44, BARS = 50, GAP = 9, BETWEEN = 26, TITLE = 24, STRIP = 20, NARROW = 640;

const percent = (share) => `${Math.round(100 * share)}%`;
const clamp = (x, low, high) => Math.min(Math.max(x, low), high);

// What is left of the window under heading and tool bar; style.css has the same.
// On a narrow window the numbers above take a line more (style.css).
// A newcomer's steps take some room more.
const above = () => (document.querySelector(".vstg-story") ? 440 : window.innerWidth > 1400 ? 372 : 388);
const stageHeight = () => clamp(window.innerHeight - above(), 400, 620);

function floats(text) {
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  return new Float32Array(bytes.buffer);
}

function decode(matrix) {
  return { ...matrix, z: floats(matrix.z) };
}

// ---- colours -------------------------------------------------------------

function rgb(colour, context) {
  context.fillStyle = colour;
  const hex = context.fillStyle;
  return [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16));
}

function theme(element, context) {
  const style = getComputedStyle(element);
  const list = (name) => style.getPropertyValue(name).split(",").map((c) => c.trim()).filter(Boolean);
  const read = (name, fallback) => {
    const colours = list(name);
    return (colours.length > 1 ? colours : fallback).map((c) => rgb(c, context));
  };
  return {
    text: style.getPropertyValue("--st-text-color") || "#333333",
    page: style.getPropertyValue("--st-background-color") || "#ffffff",
    font: style.getPropertyValue("--st-font") || "sans-serif",
    signed: read("--st-chart-diverging-colors", ["#8c510a", "#f6e8c3", "#c7eae5", "#01665e"]),
    magnitude: read("--st-chart-sequential-colors", ["#e3f2f0", "#063d3f"]),
    pattern: [rgb(PATTERN, context), rgb(PATTERN, context)],
  };
}

function shade(scale, share) {
  const at = clamp(share, 0, 1) * (scale.length - 1);
  const low = Math.min(Math.floor(at), scale.length - 2), rest = at - low;
  return [0, 1, 2].map((c) => scale[low][c] * (1 - rest) + scale[low + 1][c] * rest);
}

// Each sign has its half of the scale: mixed around zero, small values would look alike.
function signed(scale, share) {
  const half = scale.length >> 1;
  return share < 0 ? shade(scale.slice(0, half), 1 + share) : shade(scale.slice(-half), share);
}

// ---- where things stand --------------------------------------------------

function panels(data, width, room) {
  const [D, T] = [data.variables.length, data.tasks.length];
  const L = data.bases.length;
  const stacked = data.truth && width < NARROW;
  const copies = data.truth && !stacked ? 2 : 1;
  const free = width - 2 - room.names - BARS - GAP - copies * GAP - (copies - 1) * (BETWEEN + 18);
  const part = clamp(L / (L + T), 0.14, 0.42);
  const U = (part * free) / copies, W = ((1 - part) * free) / copies;
  const HEIGHT = stageHeight();
  const body = HEIGHT - TITLE - STRIP - 2 * GAP - room.foot;
  const V = body * clamp(L / (L + D), 0.13, 0.36), main = body - V;
  const block = (left, top) => ({
    U: { x: left, y: top + V + GAP, w: U, h: main },
    V: { x: left + U + GAP, y: top, w: W, h: V },
    W: { x: left + U + GAP, y: top + V + GAP, w: W, h: main },
  });
  const left = room.names + BARS + GAP, top = TITLE + STRIP + GAP;
  const first = block(left, top);
  let second = null;
  if (stacked) second = block(left, top + HEIGHT);
  else if (data.truth) second = block(left + U + GAP + W + BETWEEN + 18, top);
  return {
    estimate: first, truth: second, height: stacked ? 2 * HEIGHT : HEIGHT,
    strip: { x: first.W.x, y: TITLE, w: W, h: STRIP },
    bars: { x: room.names, y: first.U.y, w: BARS, h: main },
  };
}

// ---- drawing -------------------------------------------------------------

function drawMatrix(context, matrix, limit, place, view, colours) {
  const [rows, columns] = matrix.shape;
  const image = new ImageData(columns, rows);
  const scale = colours[view];
  for (let n = 0; n < rows * columns; n++) {
    const value = matrix.z[n];
    if (value === 0 || Number.isNaN(value)) continue; // exact zero: the page shows
    const colour = view === "signed" ? signed(scale, value / limit) : shade(scale, Math.abs(value) / limit);
    image.data.set([...colour, 255], 4 * n);
  }
  const small = new OffscreenCanvas(columns, rows);
  small.getContext("2d").putImageData(image, 0, 0);
  context.imageSmoothingEnabled = false;
  context.drawImage(small, place.x, place.y, place.w, place.h);
  grid(context, place, rows, columns, colours.page);
  context.strokeStyle = FAINT;
  context.lineWidth = 1;
  context.strokeRect(place.x - 0.5, place.y - 0.5, place.w + 1, place.h + 1);
}

function grid(context, place, rows, columns, colour) {
  context.strokeStyle = colour;
  context.lineWidth = 1;
  context.beginPath();
  if (place.w / columns > 5) {
    for (let c = 1; c < columns; c++) {
      const x = place.x + (c * place.w) / columns;
      context.moveTo(x, place.y); context.lineTo(x, place.y + place.h);
    }
  }
  if (place.h / rows > 5) {
    for (let r = 1; r < rows; r++) {
      const y = place.y + (r * place.h) / rows;
      context.moveTo(place.x, y); context.lineTo(place.x + place.w, y);
    }
  }
  context.stroke();
}

function rowNames(context, names, x, place, size, room) {
  const step = Math.max(1, Math.ceil((size + 1) / (place.h / names.length)));
  context.textAlign = "right";
  context.textBaseline = "middle";
  names.forEach((name, i) => {
    if (i % step === 0) context.fillText(fit(context, name, room), x, place.y + ((i + 0.5) * place.h) / names.length);
  });
}

function columnNames(context, names, place, size, room) {
  const step = Math.max(1, Math.ceil((size + 1) / (place.w / names.length)));
  context.textAlign = "right";
  context.textBaseline = "middle";
  names.forEach((name, j) => {
    if (j % step) return;
    context.save();
    context.translate(place.x + ((j + 0.5) * place.w) / names.length, place.y + place.h + 5);
    context.rotate(-Math.PI / 2);
    context.fillText(fit(context, name, room), 0, 0);
    context.restore();
  });
}

function runs(groups) {
  const found = [];
  groups.forEach((group, j) => {
    const last = found[found.length - 1];
    if (last && last.group === group) last.stop = j + 1;
    else found.push({ start: j, stop: j + 1, group });
  });
  return found;
}

function drawGroups(context, data, place, panel, font) {
  const step = place.w / data.tasks.length;
  const stretches = runs(data.groups);
  context.font = `700 11px ${font}`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  for (const { start, stop, group } of stretches) {
    if (group < 0) continue;
    const x = place.x + start * step, w = (stop - start) * step;
    context.fillStyle = data.group_colours[group];
    context.fillRect(x, place.y, w - (w > 3 ? 1 : 0), place.h);
    const letter = data.group_names[group], sure = data.sure_groups;
    const long = sure ? `${letter} ${percent(sure[group])}` : letter;
    // A letter says what a colour may not: on a narrow group it is small, not missing.
    const text = [long, letter].find((one) => w >= 7 + 7 * one.length)
      ?? (w >= 7 * letter.length ? letter : "");
    context.font = `700 ${w >= 7 + 7 * text.length ? 11 : 9}px ${font}`;
    context.fillStyle = data.group_inks[group];
    if (text) context.fillText(text, x + w / 2, place.y + place.h / 2 + 1);
  }
  if (stretches.length > 25) return;
  context.strokeStyle = FAINT;
  context.beginPath();
  for (const { start } of stretches.slice(1)) {
    const x = place.x + start * step;
    context.moveTo(x, panel.V.y); context.lineTo(x, panel.W.y + panel.W.h);
  }
  context.stroke();
}

function drawBars(context, data, place) {
  const importance = data.importance, top = Math.max(...importance, 1e-300);
  const step = place.h / importance.length, thick = Math.max(1, step * 0.7);
  importance.forEach((value, i) => {
    const y = place.y + (i + 0.5) * step;
    context.fillStyle = data.status_colours[i];
    context.globalAlpha = data.sure_variables ? 0.2 + 0.8 * data.sure_variables[i] : 1;
    if (value > 0) {
      const w = Math.max(1.5, (place.w * value) / top);
      context.fillRect(place.x + place.w - w, y - thick / 2, w, thick);
    } else if (data.status[i] === "missed") {
      context.strokeStyle = data.status_colours[i];
      context.lineWidth = 1.5;
      context.strokeRect(place.x + place.w - 6, y - thick / 2, 5, thick);
    }
  });
  context.globalAlpha = 1;
}

// Where each symbol stands, so that it can be explained: [left, top, width, letter].
function titles(context, data, at, colours) {
  const symbols = [];
  context.fillStyle = colours.text;
  context.textAlign = "left";
  const write = (strong, rest, x, y) => {
    context.font = `700 13px ${colours.font}`;
    context.fillText(strong, x, y);
    const w = context.measureText(strong).width;
    context.font = `400 12px ${colours.font}`;
    context.globalAlpha = 0.75;
    context.fillText(rest, x + w + 5, y);
    context.globalAlpha = 1;
    symbols.push([x, y - 13, w + 5 + context.measureText(rest).width, strong[0]]);
  };
  context.textBaseline = "alphabetic";
  const e = at.estimate;
  write("W = U·V", data.words.estimate, e.W.x, TITLE - 8);
  write("V", data.words.V, 0, e.V.y + 12);
  write("U", data.words.U, 0, e.U.y - 6);
  if (!at.truth) return symbols;
  const t = at.truth;
  write("W* = U*·V*", data.words.truth, t.W.x, t.V.y - 10);
  write("V*", "", t.U.x, t.V.y + 12);
  write("U*", "", t.U.x, t.U.y - 6);
  return symbols;
}

function frames(context, data, at, cell, span) {
  if (!cell) return;
  const [i, j] = [cell[0], cell[1] - (span ? span[0] : 0)];
  const D = data.variables.length, T = data.tasks.length;
  if (j < 0 || j >= T) return;
  context.strokeStyle = FOCUS;
  context.lineWidth = 2;
  for (const panel of [at.estimate, at.truth]) {
    if (!panel) continue;
    const y = panel.U.y + (i * panel.U.h) / D, h = panel.U.h / D;
    const x = panel.W.x + (j * panel.W.w) / T, w = panel.W.w / T;
    context.strokeRect(panel.U.x - 1, y, panel.U.w + 2, h);
    context.strokeRect(x, panel.V.y - 1, w, panel.V.h + 2);
    context.strokeRect(x, y, Math.max(w, 3), Math.max(h, 3));
  }
}

function draw(state) {
  const { canvas } = state;
  const width = canvas.parentElement.clientWidth;
  if (!width) return;
  const data = (state.shown = within(state.data, state.span));
  const context = canvas.getContext("2d"), colours = theme(canvas, context);
  const room = rooms(context, state.data, width, colours.font);
  const at = (state.at = panels(data, width, room));
  const ratio = window.devicePixelRatio || 1;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(at.height * ratio);
  canvas.style.height = `${at.height}px`;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, at.height);
  for (const [panel, factors] of [[at.estimate, data.estimate], [at.truth, data.truth]]) {
    if (!panel) continue;
    for (const name of ["U", "V", "W"]) {
      drawMatrix(context, factors[name], data.limits[name], panel[name], data.view, colours);
    }
    context.font = `10px ${colours.font}`;
    context.fillStyle = colours.text;
    context.globalAlpha = 0.8;
    columnNames(context, data.bases, panel.U, 10, room.foot - 7);
    columnNames(context, data.tasks, panel.W, 10, room.foot - 7);
    rowNames(context, data.bases, panel.V.x - 4, panel.V, 10, panel.U.w);
    context.globalAlpha = 1;
  }
  context.globalAlpha = 0.8;
  rowNames(context, data.variables, room.names - 5, at.estimate.U, 10, room.names - 6);
  context.globalAlpha = 1;
  drawBars(context, data, at.bars);
  drawGroups(context, data, at.strip, at.estimate, colours.font);
  state.symbols = titles(context, data, at, colours);
  frames(context, data, at, state.cell, state.span);
  const { x, y, w, h } = at.estimate.W;
  canvas.dataset.w = JSON.stringify([x, y, w, h]);
  canvas.dataset.drawn = data.digest;
  canvas.dataset.cell = state.cell ? state.cell.join() : "";
  canvas.dataset.tasks = data.tasks.length;
}

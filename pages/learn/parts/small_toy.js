// The tables of W = U·V without a server: an entry of U or V turns, and W follows.
// `TOY` is put in front of this script.

const cells = (matrix) => [...document.querySelectorAll(`[data-cell^="${matrix},"]`)];
const rows = (matrix, across) => cells(matrix).reduce((found, cell, n) => {
  if (n % across === 0) found.push([]);
  found.at(-1).push({ "+1": 1, "−1": -1 }[cell.textContent] ?? 0);
  return found;
}, []);
const K = document.querySelectorAll(".toy-V tbody tr").length, T = cells("V").length / K;
const U = rows("U", K), V = rows("V", T);
let focus = [2, 0];
const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, key) => values[key]);
const signed = (value) => String(value).replace("-", "−");

function write(matrix, values, sign) {
  cells(matrix).forEach((cell) => {
    const [, i, j] = cell.dataset.cell.split(",").map(Number);
    const value = values[i][j];
    const own = matrix === "U" ? i === focus[0] : matrix === "V" ? j === focus[1] : i === focus[0] && j === focus[1];
    cell.className = `${value > 0 ? "pos" : value < 0 ? "neg" : "zero"}${own ? " focus" : ""}`;
    cell.style.setProperty("--s", Math.min(Math.abs(value), 2) / 2);
    cell.textContent = value ? (sign && value > 0 ? "+" : "") + signed(value) : "";
    cell.setAttribute("aria-label", fill(TOY.words.cell, { matrix, row: i + 1, column: j + 1, value: signed(value) }));
  });
}

// Tasks that use the same bases, in the order of the dashboard: by these bases.
function groups() {
  const found = new Map();
  for (let j = 0; j < T; j++) {
    const used = V.map((row, r) => (row[j] ? r : "")).join("");
    found.set(used, [...(found.get(used) ?? []), j]);
  }
  return [...found].filter(([used]) => used).sort().map(([, tasks]) => tasks);
}

function show() {
  const W = U.map((row) => V[0].map((_, j) => row.reduce((sum, u, r) => sum + u * V[r][j], 0)));
  write("U", U, true);
  write("V", V, true);
  write("W", W, false);
  document.querySelectorAll(".toy-U tbody tr").forEach((row, i) => row.classList.toggle("out", U[i].every((u) => u === 0)));
  const found = groups();
  document.querySelectorAll(".toy-V th i").forEach((mark, j) => {
    const g = found.findIndex((tasks) => tasks.includes(j));
    mark.textContent = g < 0 ? "–" : TOY.letters[g];
    mark.style.cssText = g < 0 ? TOY.none : TOY.styles[g];
  });
  const [i, j] = focus, terms = U[i].map((u, r) => `(${signed(u)})·(${signed(V[r][j])})`).join(" + ");
  const kept = U.flatMap((row, n) => (row.some((u) => u !== 0) ? [`x${n + 1}`] : []));
  const lines = [
    `w${i + 1}${j + 1} = ${terms} = ${signed(W[i][j])}`,
    `${TOY.words.kept}: ${kept.join(", ") || TOY.words.none}`,
    `${TOY.words.groups}: ${found.map((tasks) => `{${tasks.map((t) => t + 1).join(", ")}}`).join(" · ") || TOY.words.none}`,
  ];
  document.querySelector("output").replaceChildren(...lines.flatMap((line) => [line, document.createElement("br")]));
}

document.querySelector(".toy").onclick = (event) => {
  const cell = event.target.closest("[data-cell]");
  if (!cell) return;
  const [matrix, i, j] = cell.dataset.cell.split(",").map((part, n) => (n ? +part : part));
  const turn = { 0: 1, 1: -1, [-1]: 0 };
  if (matrix === "W") focus = [i, j];
  else (matrix === "U" ? U : V)[i][j] = turn[(matrix === "U" ? U : V)[i][j]];
  show();
};
show();

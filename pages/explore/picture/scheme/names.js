// Names that fit the room they have, and a part of the tasks at a time.

// A long name loses its middle: the end often tells it from its neighbours.
function fit(context, name, room) {
  if (context.measureText(name).width <= room) return name;
  for (let kept = name.length - 1; kept > 1; kept--) {
    const head = Math.ceil(0.55 * kept);
    const cut = `${name.slice(0, head)}…${name.slice(name.length - kept + head)}`;
    if (context.measureText(cut).width <= room) return cut;
  }
  return "…";
}

const widest = (context, names) => Math.max(0, ...names.map((name) => context.measureText(name).width));

// How wide the names of variables and how high those of tasks may be.
function rooms(context, data, width, font) {
  context.font = `10px ${font}`;
  const most = width * (data.truth ? 0.12 : 0.17);
  return {
    names: clamp(widest(context, data.variables) + 7, NAMES, Math.max(NAMES, most)),
    foot: clamp(widest(context, data.tasks) + 9, FOOT, 2 * FOOT),
  };
}

// ---- a part of the tasks -------------------------------------------------

function columns(matrix, [start, stop]) {
  const [rows, all] = matrix.shape, width = stop - start;
  const z = new Float32Array(rows * width);
  for (let r = 0; r < rows; r++) z.set(matrix.z.subarray(r * all + start, r * all + stop), r * width);
  return { ...matrix, shape: [rows, width], z };
}

// The data with the tasks of a span alone; null is all of them.
function within(data, span) {
  if (!span) return data;
  const part = (f) => f && { U: f.U, V: columns(f.V, span), W: columns(f.W, span) };
  return {
    ...data, tasks: data.tasks.slice(...span), groups: data.groups.slice(...span),
    estimate: part(data.estimate), truth: part(data.truth),
  };
}

// The neighbours of task j that belong to its group, as a span.
function stretch(groups, j) {
  let start = j, stop = j + 1;
  while (start > 0 && groups[start - 1] === groups[j]) start--;
  while (stop < groups.length && groups[stop] === groups[j]) stop++;
  return [start, stop];
}

// Half as many tasks around task j, or twice as many; all of them are null.
function zoomed(data, span, j, closer) {
  const all = data.tasks.length, [start, stop] = span || [0, all];
  const width = closer ? Math.max(4, Math.ceil((stop - start) / 2)) : 2 * (stop - start);
  if (width >= all) return null;
  const first = clamp(j - Math.floor(width / 2), 0, all - width);
  return [first, first + width];
}

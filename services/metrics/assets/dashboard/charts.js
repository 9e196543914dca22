const LABELS = {
  trending_up: ['trending up', '--up'],
  trending_down: ['trending down', '--down'],
  ranging: ['ranging', '--range'],
  volatile: ['volatile', '--volatile'],
  indeterminate: ['indeterminate', '--none'],
  unknown: ['unknown', '--unknown'],
};
const NO_DATA = 'no data';
const charts = new Map();
const by = (id) => document.getElementById(id);
const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const seconds = (iso) => Date.parse(iso) / 1000;
const DAY = '{D} {MMM}';
const TIMES = [
  [86_400, DAY, '\n{YYYY}', null, null, null, null, null, 1],
  [60, '{HH}:{mm}', `\n${DAY}`, null, `\n${DAY}`, null, null, null, 1],
  [1, '{HH}:{mm}:{ss}', `\n${DAY}`, null, `\n${DAY}`, null, null, null, 1],
];

/** Inserts text only as text nodes, never as HTML. */
function element(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children.filter((child) => child !== null));
  return made;
}

function known(value) {
  if (value === undefined) return NO_DATA;
  return value === null ? 'unknown' : String(value);
}

function signed(value, places = 2) {
  if (value === null || value === undefined) return known(value);
  const rounded = Number(Number(value).toFixed(places));
  const text = Math.abs(rounded).toLocaleString('en', {
    minimumFractionDigits: places,
    maximumFractionDigits: places,
  });
  return `${rounded < 0 ? '−' : rounded > 0 ? '+' : ''}${text}`;
}

/** Service time minus browser time. */
const clock = { aheadMs: 0 };
const nowMs = () => Date.now() + clock.aheadMs;

function age(iso) {
  const past = Math.max(0, Math.round((nowMs() - Date.parse(iso)) / 1000));
  if (past < 90) return `${past} s ago`;
  if (past < 5400) return `${Math.round(past / 60)} min ago`;
  if (past < 172_800) return `${Math.round(past / 3600)} h ago`;
  return `${Math.round(past / 86_400)} days ago`;
}

function number(text, digits = 2) {
  if (text === null || text === undefined) return known(text);
  const value = Number(text);
  const places = Math.abs(value) >= 100 ? 2 : Math.max(digits, 4);
  return value.toLocaleString('en', { maximumFractionDigits: places });
}

/** A gap longer than `longest` seconds breaks the line. */
function withGaps([times, ...columns], longest) {
  const rows = [[], ...columns.map(() => [])];
  const add = (...values) => {
    for (const [place, value] of values.entries()) rows[place].push(value);
  };
  for (const [index, time] of times.entries()) {
    const before = times[index - 1];
    if (time - before > longest) add(before + 1, ...columns.map(() => null));
    add(time, ...columns.map((column) => column[index]));
  }
  return rows;
}

function draw(id, lines, points, options) {
  const place = by(id);
  const data = withGaps(points, options.gap);
  const key = JSON.stringify([
    lines,
    options.levels,
    options.span,
    matchMedia('(prefers-color-scheme: dark)').matches,
  ]);
  const known = charts.get(id);
  if (known?.key === key && place.contains(known.chart.root)) {
    known.chart.setData(data);
    return;
  }
  known?.chart.destroy();
  const axis = {
    stroke: colour('--soft'),
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { stroke: colour('--line') },
  };
  const format = (_, values) => values.map((value) => number(value));
  const chart = new uPlot(
    {
      width: Math.max(280, place.clientWidth),
      height: options.height,
      tzDate: (at) => uPlot.tzDate(new Date(at * 1000), 'Etc/UTC'),
      legend: { live: false },
      cursor: { drag: { x: false, y: false } },
      scales: {
        x: { time: true, range: () => untilNow(options.span) },
        y: { range: rangeWith(options.levels) },
      },
      axes: [
        { ...axis, values: TIMES },
        { ...axis, size: 74, values: format },
      ],
      series: [
        { value: '{YYYY}-{MM}-{DD} {HH}:{mm}' },
        ...lines.map(([label, name]) => ({
          label,
          stroke: colour(name),
          width: 2,
          spanGaps: false,
          value: (_, value) => number(value),
        })),
      ],
      hooks: options.levels ? { draw: [(plot) => drawLevels(plot, options.levels)] } : {},
    },
    data,
    place,
  );
  charts.set(id, { chart, key });
}

function untilNow(span) {
  const now = nowMs() / 1000;
  return [now - span, now];
}

/** Extends the axis to a grid's levels, so that they stay visible when the price leaves them. */
function rangeWith(levels = []) {
  const prices = levels.map(({ price }) => Number(price));
  return (_, low, high) => {
    const least = Math.min(low ?? 0, ...prices);
    const most = Math.max(high ?? 1, ...prices);
    const margin = (most - least || Math.abs(most) || 1) * 0.05;
    return [least - margin, most + margin];
  };
}

function drawLevels(plot, levels) {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.lineWidth = 1;
  for (const { price, side, state } of levels) {
    const y = Math.round(plot.valToPos(Number(price), 'y', true)) + 0.5;
    if (y < bbox.top || y > bbox.top + bbox.height) continue;
    ctx.strokeStyle = colour(
      state === 'missing'
        ? '--bad'
        : side === 'sell'
          ? '--second'
          : side === 'buy'
            ? '--good'
            : '--none',
    );
    ctx.setLineDash(state === 'open' ? [] : [4, 4]);
    ctx.globalAlpha = 0.55;
    ctx.beginPath();
    ctx.moveTo(bbox.left, y);
    ctx.lineTo(bbox.left + bbox.width, y);
    ctx.stroke();
  }
  ctx.restore();
}

const SVG = 'http://www.w3.org/2000/svg';

function strip(items, from, until, step) {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 1000 22');
  svg.setAttribute('preserveAspectRatio', 'none');
  svg.setAttribute('shape-rendering', 'crispEdges');
  svg.setAttribute('aria-hidden', 'true');
  items.forEach((item, index) => {
    const start = seconds(item.bucket_start);
    const next = items[index + 1] ? seconds(items[index + 1].bucket_start) : until;
    const end = Math.min(next, start + Math.max(step, 900));
    const bar = document.createElementNS(SVG, 'rect');
    const x = (time) => Math.max(0, ((time - from) / (until - from)) * 1000);
    const place = { x: x(start), width: Math.max(1.5, x(end) - x(start)), y: 0, height: 22 };
    for (const [name, value] of Object.entries(place)) bar.setAttribute(name, value);
    const [text, name] = LABELS[item.label] ?? LABELS.unknown;
    bar.style.fill = `var(${name})`;
    const title = document.createElementNS(SVG, 'title');
    title.textContent = `${text}, ${new Date(start * 1000).toISOString().slice(0, 16).replace('T', ' ')}`;
    bar.append(title);
    svg.append(bar);
  });
  return svg;
}

function resizeCharts() {
  for (const [id, { chart }] of charts) {
    chart.setSize({ width: Math.max(280, by(id).clientWidth), height: chart.height });
  }
}

globalThis.charting = {
  ...{
    LABELS,
    NO_DATA,
    age,
    by,
    clock,
    draw,
    element,
    known,
    nowMs,
    number,
    resizeCharts,
    seconds,
    signed,
    strip,
  },
};

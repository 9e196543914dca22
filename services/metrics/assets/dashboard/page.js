const REFRESH_MS = 10_000;
const RANGES = {
  '6h': { ms: 6 * 3_600_000, interval: '1m' },
  '24h': { ms: 24 * 3_600_000, interval: '5m' },
  '7d': { ms: 7 * 86_400_000, interval: '30m' },
  '30d': { ms: 30 * 86_400_000, interval: '1h' },
};
const COMPONENTS = ['account_balance', 'market_data', 'grid_status', 'regime_analysis'];
const LABELS = {
  trending_up: ['trending up', '--up'],
  trending_down: ['trending down', '--down'],
  ranging: ['ranging', '--range'],
  volatile: ['volatile', '--volatile'],
  indeterminate: ['indeterminate', '--none'],
  unknown: ['unknown', '--unknown'],
};
const charts = new Map();
const by = (id) => document.getElementById(id);
const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const seconds = (iso) => Date.parse(iso) / 1000;

/** Text only ever enters the page as text. */
function element(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children.filter((child) => child !== null));
  return made;
}

function age(iso) {
  const past = Math.max(0, Math.round((Date.now() - Date.parse(iso)) / 1000));
  if (past < 90) return `${past} s ago`;
  if (past < 5400) return `${Math.round(past / 60)} min ago`;
  if (past < 172_800) return `${Math.round(past / 3600)} h ago`;
  return `${Math.round(past / 86_400)} days ago`;
}

function number(text, digits = 2) {
  if (text === null || text === undefined) return '—';
  const value = Number(text);
  const places = Math.abs(value) >= 100 ? 2 : Math.max(digits, 4);
  return value.toLocaleString('en', { maximumFractionDigits: places });
}

async function get(path, query = {}) {
  const response = await fetch(`${path}?${new URLSearchParams(query)}`);
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  return response.json();
}

function series(kind, more) {
  const { ms, interval } = RANGES[by('range').value];
  const start = new Date(Date.now() - ms).toISOString();
  return get('/metrics/history', {
    kind,
    start,
    interval,
    limit: '1000',
    order: 'asc',
    ...more,
  }).then(({ items }) => items);
}

/** Draws into `id`, or moves the new data into the chart that is there already. */
function draw(id, lines, data, options = {}) {
  const place = by(id);
  const key = JSON.stringify([
    lines,
    options.levels,
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
      height: options.height ?? 230,
      cursor: { drag: { x: false, y: false } },
      scales: { x: { time: true }, y: { range: rangeWith(options.levels) } },
      axes: [axis, { ...axis, size: 74, values: format }],
      series: [
        {},
        ...lines.map(([label, name]) => ({
          label,
          stroke: colour(name),
          width: 2,
          spanGaps: false,
          points: { show: data[0].length < 3 },
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

/** The axis spans the levels of a grid too, so that they are seen when the price has left them. */
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

function showHead(state) {
  by('simulated').hidden = !state.simulated;
  by('empty').hidden = state.collection !== null;
  by('address').textContent = location.origin;
  const pill = by('freshness');
  const { collection } = state;
  pill.textContent = collection ? `collected ${age(collection.captured_at)}` : 'nothing collected';
  pill.className = `pill ${collection && !collection.stale ? 'ok' : 'stale'}`;
  const select = by('symbol');
  const symbols = state.markets.map(({ symbol }) => symbol);
  if (
    symbols.length > 0 &&
    symbols.join() !== [...select.options].map(({ value }) => value).join()
  ) {
    const before = select.value;
    select.replaceChildren(
      ...symbols.map((symbol) => element('option', { value: symbol }, symbol)),
    );
    if (symbols.includes(before)) select.value = before;
  }
}

function card(label, value, note) {
  return element(
    'div',
    { className: 'card' },
    element('span', {}, label),
    element('b', {}, value),
    element('span', {}, note),
  );
}

function showCards(state) {
  const total = state.balances.find((item) => item.total_row !== false && item.asset === null);
  const cards = [];
  if (total) {
    const whole = total.equity_complete
      ? 'every asset priced'
      : `without ${total.unpriced_assets.join(', ')}`;
    cards.push(card(`Equity, ${total.quote}`, number(total.total_equity), whole));
    cards.push(card(`Free, ${total.quote}`, number(total.quote_free), state.exchange));
  }
  for (const market of state.markets) {
    const change =
      market.change_pct_24h === null ? '' : `${market.change_pct_24h.toFixed(2)} % in 24 h`;
    cards.push(
      card(market.symbol, number(market.last), market.stale ? `${change} · stale` : change),
    );
  }
  by('cards').replaceChildren(...cards);
}

function showComponents(state) {
  const head = element(
    'tr',
    {},
    ...['Component', 'State', 'Data points', 'Time', 'Failures'].map((text) =>
      element('th', {}, text),
    ),
  );
  const names = COMPONENTS.filter((name) => state.components[name]);
  const rows = names
    .map((name) => [name, state.components[name]])
    .map(([name, one]) =>
      element(
        'tr',
        {},
        element('td', {}, name.replaceAll('_', ' ')),
        element('td', { className: one.status }, one.status),
        element('td', {}, String(one.data_points)),
        element('td', {}, `${one.duration_ms} ms`),
        element(
          'td',
          {},
          one.failures
            .map(({ code, target, message }) => `${code} (${target}): ${message}`)
            .join('; ') || 'none',
        ),
      ),
    );
  by('components').replaceChildren(head, ...rows);
}

async function showEquity(state) {
  const items = await series('balance', { asset: '', exchange: state.exchange });
  const last = items.at(-1);
  by('equity-age').textContent = last ? age(last.captured_at ?? last.bucket_start) : 'no data';
  const data = [
    items.map((item) => seconds(item.bucket_start)),
    items.map((item) => Number(item.total_equity ?? item.equity)),
  ];
  draw('equity-chart', [['Equity', '--accent']], data);
}

async function showPrices(state) {
  const symbol = by('symbol').value;
  if (!symbol) return;
  const items = await series('market', { symbol, exchange: state.exchange });
  const last = items.at(-1);
  by('price-age').textContent = last
    ? `${symbol}, ${age(last.captured_at ?? last.bucket_start)}`
    : 'no data';
  const values = (name) =>
    items.map((item) => (item[name] === undefined ? null : Number(item[name])));
  const data = [
    items.map((item) => seconds(item.bucket_start)),
    values('last'),
    values('spread_bps'),
  ];
  const [times, prices, spreads] = data;
  draw('price-chart', [['Price', '--accent']], [times, prices], { height: 170 });
  draw('spread-chart', [['Spread, bps', '--second']], [times, spreads], { height: 120 });
}

const SVG = 'http://www.w3.org/2000/svg';

function strip(items, from, until, step) {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 1000 22');
  svg.setAttribute('preserveAspectRatio', 'none');
  svg.setAttribute('shape-rendering', 'crispEdges');
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
    title.textContent = `${text}, ${new Date(start * 1000).toLocaleString()}`;
    bar.append(title);
    svg.append(bar);
  });
  return svg;
}

async function showRegimes(state) {
  const { ms } = RANGES[by('range').value];
  const until = Date.now() / 1000;
  const interval = { '6h': '5m', '24h': '15m', '7d': '1h', '30d': '4h' }[by('range').value];
  const step = { '5m': 300, '15m': 900, '1h': 3600, '4h': 14_400 }[interval];
  const rows = await Promise.all(
    state.regimes.map(async (now) => {
      const items = await series('regime', {
        symbol: now.symbol,
        exchange: state.exchange,
        interval,
      });
      const [text] = LABELS[now.label] ?? LABELS.unknown;
      const confirmed = now.confirmed_label
        ? `, confirmed ${now.confirmed_label.replaceAll('_', ' ')}`
        : '';
      return element(
        'div',
        { className: 'strip' },
        element('b', {}, now.symbol),
        strip(items, until - ms / 1000, until, step),
        element('span', {}, `${text} ${now.confidence.toFixed(2)}${confirmed}`),
      );
    }),
  );
  by('regime-rows').replaceChildren(...rows);
  by('regime-age').textContent = state.regimes[0]
    ? `${age(state.regimes[0].captured_at)}; it describes the past and is no advice`
    : 'no data';
  by('regime-key').replaceChildren(
    ...Object.values(LABELS).map(([text, name]) => {
      const mark = element('i');
      mark.style.background = `var(${name})`;
      return element('li', {}, mark, text);
    }),
  );
}

function facts(grid) {
  const pairs = [
    ['Total PnL', number(grid.total_pnl)],
    ['Realised', number(grid.realised_pnl)],
    ['Unrealised', number(grid.unrealised_pnl)],
    ['Fees', number(grid.fees_quote)],
    ['Round trips', String(grid.round_trips ?? '—')],
    [
      'Orders',
      grid.open_buy_orders === undefined
        ? '—'
        : `${grid.open_buy_orders} buy, ${grid.open_sell_orders} sell`,
    ],
    ['Missing', String(grid.missing_orders ?? '—')],
    ['Range', grid.out_of_range === 'none' ? 'inside' : (grid.out_of_range ?? '—')],
    ['Age', grid.captured_at ? age(grid.captured_at) : 'not collected yet'],
  ];
  return element(
    'dl',
    {},
    ...pairs.map(([name, value]) =>
      element('div', {}, element('dt', {}, name), element('dd', {}, value)),
    ),
  );
}

async function showGrids(state) {
  const place = by('grids');
  const ids = state.grids.map(({ grid_id }) => grid_id).join();
  if (state.grids.length === 0) {
    place.replaceChildren(element('p', {}, 'No grid yet: POST /grids/create stores one.'));
    return;
  }
  if (place.dataset.ids !== ids) {
    place.dataset.ids = ids;
    place.replaceChildren(
      ...state.grids.map((grid, index) =>
        element(
          'div',
          { className: 'grid' },
          element(
            'div',
            {},
            element('h3', {}, `${grid.name}, ${grid.symbol}`),
            element('div', { id: `facts-${index}` }),
          ),
          element(
            'div',
            { className: 'pair' },
            element('div', { id: `levels-${index}`, className: 'chart' }),
            element('div', { id: `pnl-${index}`, className: 'chart' }),
          ),
        ),
      ),
    );
  }
  for (const [index, grid] of state.grids.entries()) {
    by(`facts-${index}`).replaceChildren(facts(grid));
    const items = await series('grid', { grid_id: grid.grid_id });
    const times = items.map((item) => seconds(item.bucket_start));
    const values = (name) => items.map((item) => (item[name] == null ? null : Number(item[name])));
    const levels = grid.levels ?? [];
    draw(`levels-${index}`, [['Price', '--accent']], [times, values('mark_price')], {
      levels,
      height: 210,
    });
    draw(
      `pnl-${index}`,
      [
        ['Total PnL', '--accent'],
        ['Realised', '--good'],
      ],
      [times, values('total_pnl'), values('realised_pnl')],
      { height: 210 },
    );
  }
}

let running = false;
async function refresh() {
  if (running) return;
  running = true;
  try {
    const state = await get('/dashboard/state');
    showHead(state);
    showCards(state);
    showComponents(state);
    await Promise.all([showEquity(state), showPrices(state), showRegimes(state), showGrids(state)]);
    document.body.dataset.ready = state.generated_at;
  } catch (error) {
    const pill = by('freshness');
    pill.textContent = `not reachable: ${error.message}`;
    pill.className = 'pill failed';
  } finally {
    running = false;
  }
}

by('range').addEventListener('change', refresh);
by('symbol').addEventListener('change', refresh);
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', refresh);
addEventListener('resize', () => {
  for (const [id, { chart }] of charts)
    chart.setSize({ width: Math.max(280, by(id).clientWidth), height: chart.height });
});
void refresh();
setInterval(refresh, REFRESH_MS);

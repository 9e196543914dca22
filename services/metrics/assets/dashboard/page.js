const { LABELS, by, draw, element, number, resizeCharts, seconds, strip } = globalThis.charting;
const REFRESH_MS = 10_000;
const RANGES = {
  '6h': { ms: 6 * 3_600_000, interval: '1m' },
  '24h': { ms: 24 * 3_600_000, interval: '5m' },
  '7d': { ms: 7 * 86_400_000, interval: '30m' },
  '30d': { ms: 30 * 86_400_000, interval: '1h' },
};
function age(iso) {
  const past = Math.max(0, Math.round((Date.now() - Date.parse(iso)) / 1000));
  if (past < 90) return `${past} s ago`;
  if (past < 5400) return `${Math.round(past / 60)} min ago`;
  if (past < 172_800) return `${Math.round(past / 3600)} h ago`;
  return `${Math.round(past / 86_400)} days ago`;
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

/** Seconds that a chart shows, and seconds between two values that still belong together. */
function timing(state) {
  const bucket = { '1m': 60, '5m': 300, '30m': 1800, '1h': 3600 };
  const { ms, interval } = RANGES[by('range').value];
  return { span: ms / 1000, gap: 2.5 * Math.max(state.interval_seconds, bucket[interval]) };
}

/** A collection is as well as its worst part, and no better than its age. */
function worst({ collection, components }) {
  const named = (wanted) =>
    Object.keys(components)
      .filter((name) => components[name].status === wanted)
      .map((name) => name.replaceAll('_', ' '))
      .join(', ');
  const failed = named('failed');
  if (failed) return { text: `failed: ${failed}`, className: 'failed' };
  const partial = named('partial');
  if (partial) return { text: `partial: ${partial}`, className: 'partial' };
  return { text: 'collected', className: collection && !collection.stale ? 'ok' : 'stale' };
}

function showHead(state) {
  by('simulated').hidden = !state.simulated;
  by('warnings').hidden = state.warnings.length === 0;
  by('warnings').replaceChildren(...state.warnings.map((text) => element('li', {}, text)));
  by('empty').hidden = state.collection !== null;
  by('address').textContent = location.origin;
  const pill = by('freshness');
  const { collection } = state;
  const { text, className } = worst(state);
  pill.textContent = collection ? joined(text, age(collection.captured_at)) : 'nothing collected';
  pill.className = `pill ${className}`;
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

const joined = (...notes) => notes.filter(Boolean).join(' · ');

/** How old a value is that the last collection did not bring. */
const lateness = (state, { captured_at }) =>
  captured_at === state.collection?.captured_at ? '' : `last seen ${age(captured_at)}`;

function showCards(state) {
  const total = state.balances.find((item) => item.total_row !== false && item.asset === null);
  const cards = [];
  if (total) {
    const late = lateness(state, total);
    const whole = total.equity_complete
      ? 'every asset priced'
      : `${number(total.priced_equity)} without ${total.unpriced_assets.join(', ')}`;
    const equity = total.equity_complete ? number(total.total_equity) : 'unknown';
    const aged = total.stale ? 'by an old price' : '';
    cards.push(card(`Equity, ${total.quote}`, equity, joined(whole, aged, late)));
    cards.push(
      card(`Free, ${total.quote}`, number(total.quote_free), joined(state.exchange, late)),
    );
  }
  for (const market of state.markets) {
    const change =
      market.change_pct_24h === null ? '' : `${market.change_pct_24h.toFixed(2)} % in 24 h`;
    const note = joined(change, market.stale ? 'stale' : '', lateness(state, market));
    cards.push(card(market.symbol, number(market.last), note));
  }
  by('cards').replaceChildren(...cards);
}

/** One line for each reason, however many symbols it concerns. */
function reasons(failures) {
  const targets = new Map();
  for (const { code, target, message } of failures) {
    const reason = `${code.replaceAll('_', ' ')}: ${message}`;
    targets.set(reason, [...(targets.get(reason) ?? []), target]);
  }
  return [...targets].map(([reason, names]) => `${names.join(', ')} — ${reason}`);
}

function showComponents(state) {
  const head = element(
    'tr',
    {},
    ...['Component', 'State', 'Data points', 'Time'].map((text) => element('th', {}, text)),
  );
  const rows = Object.entries(state.components).flatMap(([name, component]) => {
    const { status, data_points, duration_ms, failures } = component;
    const cells = [
      element('td', {}, name.replaceAll('_', ' ')),
      element('td', { className: status }, status),
      element('td', {}, String(data_points)),
      element('td', {}, `${duration_ms} ms`),
    ];
    const texts = reasons(failures).map((text) => element('div', {}, text));
    const own = element('tr', {}, ...cells);
    if (texts.length === 0) return [own];
    return [own, element('tr', { className: 'reasons' }, element('td', { colSpan: 4 }, ...texts))];
  });
  by('components').replaceChildren(head, ...rows);
}

/** Kinds that have no panel of their own. */
function showTables(state) {
  const panels = state.tables
    .filter(({ field }) => state[field].length > 0)
    .map(({ field, title, columns }) => {
      const head = Object.values(columns).map((text) => element('th', {}, text));
      const rows = state[field].map((item) => {
        const cells = Object.keys(columns).map((name) => element('td', {}, cell(item[name])));
        const late = element('td', {}, age(item.captured_at));
        return element('tr', {}, ...cells, late);
      });
      const heading = element('tr', {}, ...head, element('th', {}, 'Age'));
      const table = element('table', {}, heading, ...rows);
      return element('section', { className: 'panel wide' }, element('h2', {}, title), table);
    });
  by('tables').replaceChildren(...panels);
}

/** Whole decimals as they are: a rate of 0.0001 is no 0. */
const cell = (value) => (value === null || value === undefined ? '—' : String(value));

async function showEquity(state) {
  const items = await series('balance', { asset: '', exchange: state.exchange });
  const last = items.at(-1);
  by('equity-age').textContent = last ? age(last.captured_at ?? last.bucket_start) : 'no data';
  const data = [items.map((item) => seconds(item.bucket_start)), items.map(equityOf)];
  const height = matchMedia('(min-width: 900px)').matches ? 350 : 230;
  draw('equity-chart', [['Equity', '--accent']], data, { ...timing(state), height });
}

/** Unknown while an asset has no price: a gap, not a zero. */
function equityOf(item) {
  const equity = item.total_equity ?? item.equity ?? null;
  return equity === null ? null : Number(equity);
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
  const time = timing(state);
  draw('price-chart', [['Price', '--accent']], [times, prices], { ...time, height: 170 });
  draw('spread-chart', [['Spread, bps', '--second']], [times, spreads], { ...time, height: 120 });
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
    ['By pairs', number(grid.grid_profit)],
    ['By inventory', number(grid.inventory_result)],
    ['Fees', number(grid.fees_total ?? grid.fees_quote)],
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
    const time = timing(state);
    draw(`levels-${index}`, [['Price', '--accent']], [times, values('mark_price')], {
      levels,
      ...time,
      height: 210,
    });
    draw(
      `pnl-${index}`,
      [
        ['Total PnL', '--accent'],
        ['Realised', '--good'],
      ],
      [times, values('total_pnl'), values('realised_pnl')],
      { ...time, height: 210 },
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
    showTables(state);
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
addEventListener('resize', resizeCharts);
void refresh();
setInterval(refresh, REFRESH_MS);

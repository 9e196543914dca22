const {
  LABELS,
  NO_DATA,
  age,
  by,
  clock,
  draw,
  element,
  known,
  nowMs,
  resizeCharts,
  seconds,
  strip,
} = globalThis.charting;
const { namesWith, showGlance } = globalThis.glance;
const { showAccounts, showFills, showGrids, showHoldings, showMarkets } = globalThis.tables;
const { showGridCharts } = globalThis.grids;

const asked = new URLSearchParams(location.search);
const ACCOUNT = asked.get('account');

const REFRESH_MS = 10_000;
const RANGES = {
  '6h': { ms: 6 * 3_600_000, interval: '1m' },
  '24h': { ms: 24 * 3_600_000, interval: '5m' },
  '7d': { ms: 7 * 86_400_000, interval: '30m' },
  '30d': { ms: 30 * 86_400_000, interval: '1h' },
};

async function get(path, query = {}) {
  const response = await fetch(`${path}?${new URLSearchParams(query)}`);
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  return response.json();
}

let shownAccount = null;
const account = () => (shownAccount === null ? {} : { account: shownAccount });

const ofAccount = (state) =>
  shownAccount === null
    ? state
    : { ...state, grids: state.grids.filter((grid) => grid.account === shownAccount) };

const getIfThere = (path, query) => get(path, query).catch(() => null);

function series(kind, more) {
  const { ms, interval } = RANGES[by('range').value];
  const start = new Date(nowMs() - ms).toISOString();
  const query = { kind, start, interval, limit: '1000', order: 'asc', ...account(), ...more };
  return get('/metrics/history', query).then(({ items }) => items);
}

function timing(state) {
  const bucket = { '1m': 60, '5m': 300, '30m': 1800, '1h': 3600 };
  const { ms, interval } = RANGES[by('range').value];
  return { span: ms / 1000, gap: 2.5 * Math.max(state.interval_seconds, bucket[interval]) };
}

/** Shows the worst component of all accounts; an old collection is never shown as ok. */
function worst(state) {
  const { collection } = state;
  const failed = namesWith('failed', state);
  if (failed) return { text: `failed: ${failed}`, className: 'failed' };
  const partial = namesWith('partial', state);
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
  pill.textContent = collection ? `${text} · ${age(collection.captured_at)}` : 'nothing collected';
  pill.className = `pill ${className}`;
  const select = by('symbol');
  const symbols = state.markets.map(({ symbol }) => symbol);
  const shown = [...select.options].map(({ value }) => value);
  if (symbols.length === 0 || symbols.join() === shown.join()) return;
  const before = select.value || asked.get('symbol');
  select.replaceChildren(...symbols.map((symbol) => element('option', { value: symbol }, symbol)));
  if (symbols.includes(before)) select.value = before;
}

function reasons(failures) {
  const targets = new Map();
  for (const { code, target, message } of failures) {
    const reason = `${code.replaceAll('_', ' ')}: ${message}`;
    targets.set(reason, [...(targets.get(reason) ?? []), target]);
  }
  return [...targets].map(([reason, names]) => `${names.join(', ')} — ${reason}`);
}

function showComponents(state) {
  const names = ['Component', 'State', 'Data points', 'Time'];
  const head = element('tr', {}, ...names.map((text) => element('th', { scope: 'col' }, text)));
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

function showTables(state) {
  const panels = state.tables
    .filter(({ field }) => state[field].length > 0)
    .map(({ field, title, columns }) => {
      const head = [...Object.values(columns), 'Age'].map((text) =>
        element('th', { scope: 'col' }, text),
      );
      const rows = state[field].map((item) => {
        const cells = Object.keys(columns).map((name) => element('td', {}, known(item[name])));
        return element('tr', {}, ...cells, element('td', {}, age(item.captured_at)));
      });
      const table = element('table', {}, element('tr', {}, ...head), ...rows);
      const region = { className: 'table', tabIndex: 0, role: 'group', ariaLabel: title };
      return element(
        'section',
        { className: 'panel wide' },
        element('h2', {}, title),
        element('div', region, table),
      );
    });
  by('tables').replaceChildren(...panels);
}

async function showEquity(state) {
  const items = await series('balance', { asset: '', exchange: state.exchange });
  const last = items.at(-1);
  by('equity-age').textContent = last ? age(last.captured_at ?? last.bucket_start) : NO_DATA;
  // While an asset has no price, equity is a gap, not a zero.
  const values = items.map(({ equity }) => (equity == null ? null : Number(equity)));
  const data = [items.map((item) => seconds(item.bucket_start)), values];
  const height = matchMedia('(min-width: 900px)').matches ? 310 : 230;
  draw('equity-chart', [['Equity', '--accent']], data, { ...timing(state), height });
}

async function showPrices(state) {
  const symbol = by('symbol').value;
  const items = symbol ? await series('market', { symbol, exchange: state.exchange }) : [];
  const last = items.at(-1);
  by('price-age').textContent = last
    ? `${symbol}, ${age(last.captured_at ?? last.bucket_start)}`
    : NO_DATA;
  const values = (name) => items.map((item) => (item[name] == null ? null : Number(item[name])));
  const times = items.map((item) => seconds(item.bucket_start));
  const time = timing(state);
  draw('price-chart', [['Price', '--accent']], [times, values('last')], { ...time, height: 170 });
  draw('spread-chart', [['Spread, bps', '--second']], [times, values('spread_bps')], {
    ...time,
    height: 120,
  });
}

async function showRegimes(state) {
  const { ms } = RANGES[by('range').value];
  const until = nowMs() / 1000;
  const interval = { '6h': '5m', '24h': '15m', '7d': '1h', '30d': '4h' }[by('range').value];
  const step = { '5m': 300, '15m': 900, '1h': 3600, '4h': 14_400 }[interval];
  const rows = await Promise.all(
    state.regimes.map(async (now) => {
      const query = {
        symbol: now.symbol,
        timeframe: now.timeframe,
        exchange: state.exchange,
        interval,
      };
      const items = await series('regime', query);
      const [text] = LABELS[now.label] ?? LABELS.unknown;
      const confirmed = now.confirmed_label
        ? `, confirmed ${now.confirmed_label.replaceAll('_', ' ')}`
        : '';
      const holes = now.reasons?.includes('history_has_holes') ? ', history has holes' : '';
      return element(
        'div',
        { className: 'strip' },
        element('b', {}, now.symbol),
        strip(items, until - ms / 1000, until, step),
        element('span', {}, `${text} ${now.confidence.toFixed(2)}${confirmed}${holes}`),
      );
    }),
  );
  by('regime-rows').replaceChildren(...rows);
  const [first] = state.regimes;
  by('regime-age').textContent = first
    ? `${age(first.captured_at)}; describes past prices; not trading advice`
    : NO_DATA;
  const key = [...Object.values(LABELS), [NO_DATA, null]].map(([text, name]) => {
    const mark = element('i', { className: name ? '' : 'gap' });
    if (name) mark.style.background = `var(${name})`;
    return element('li', {}, mark, text);
  });
  by('regime-key').replaceChildren(...key);
}

/** Makes tables scroll horizontally on a phone, including by keyboard. */
for (const place of document.querySelectorAll('.table')) {
  place.tabIndex = 0;
  place.setAttribute('role', 'group');
  place.setAttribute('aria-labelledby', place.parentElement.getAttribute('aria-labelledby'));
}

let running = false;
let drawn = '';
async function refresh() {
  if (running || document.visibilityState === 'hidden') return;
  running = true;
  try {
    const all = await get('/dashboard/state', ACCOUNT ? { account: ACCOUNT } : {});
    clock.aheadMs = Date.parse(all.generated_at) - Date.now();
    shownAccount = all.account ?? null;
    const state = ofAccount(all);
    const [profit, risk, fills] = await Promise.all([
      getIfThere('/profit', { ...account(), interval: '1d', periods: '1' }),
      state.collection && getIfThere('/risk', account()),
      getIfThere('/fills', { ...account(), limit: '20' }),
    ]);
    showHead(state);
    showAccounts(state, by('range').value);
    showGlance(state, { profit, risk });
    showHoldings(state);
    showMarkets(state);
    showGrids(state);
    showFills(fills);
    showComponents(state);
    showTables(state);
    const isDark = matchMedia('(prefers-color-scheme: dark)').matches;
    const ids = state.grids.map(({ grid_id, status }) => grid_id + status).join();
    const shown = [
      state.collection?.collection_id,
      by('range').value,
      by('symbol').value,
      isDark,
      ids,
    ].join();
    if (shown !== drawn) {
      const time = timing(state);
      const grids = showGridCharts(state, { series, time });
      await Promise.all([showEquity(state), showPrices(state), showRegimes(state), grids]);
      drawn = shown;
    }
    document.body.dataset.ready = state.generated_at;
  } catch (error) {
    const pill = by('freshness');
    pill.textContent = `not reachable: ${error.message}`;
    pill.className = 'pill failed';
  } finally {
    running = false;
  }
}

if (asked.get('range') in RANGES) by('range').value = asked.get('range');
function choose() {
  const chosen = new URLSearchParams({
    ...account(),
    range: by('range').value,
    symbol: by('symbol').value,
  });
  history.replaceState(null, '', `?${chosen}`);
  void refresh();
}

by('range').addEventListener('change', choose);
by('symbol').addEventListener('change', choose);
document.addEventListener('visibilitychange', refresh);
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', refresh);
addEventListener('resize', resizeCharts);
void refresh();
setInterval(refresh, REFRESH_MS);

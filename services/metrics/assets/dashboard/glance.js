const { by, element, number, signed } = globalThis.charting;

function tile(label, value, notes, { tone = '', id } = {}) {
  const shown = notes.filter(Boolean).map((note) => element('span', {}, note));
  const made = element(
    'div',
    { className: `tile ${tone}` },
    element('h2', {}, label),
    element('b', {}, value),
    ...shown,
  );
  if (id) made.id = id;
  return made;
}

const toneOf = (amount) => (Number(amount) < 0 ? 'bad' : Number(amount) > 0 ? 'good' : '');
const percent = (share) => `${(share * 100).toFixed(1)} %`;

function namesWith(status, { accounts = [], account: shown, components }) {
  const parts = Object.keys(components)
    .filter((name) => components[name].status === status)
    .map((name) => name.replaceAll('_', ' '));
  const worstOf = ({ degraded, failed_components: failed }) =>
    failed.length > 0 ? 'failed' : degraded ? 'partial' : 'ok';
  const others = accounts
    .filter((one) => one.account !== shown && worstOf(one) === status)
    .map((one) => `account ${one.account}`);
  return [...parts, ...others].join(', ');
}

function findings(state) {
  const found = [];
  const add = (tone, text) => found.push({ tone, text });
  const named = (status) => namesWith(status, state);
  const total = totalOf(state);
  if (!state.collection) add('warn', 'Nothing collected yet');
  if (named('failed')) add('bad', `Failed: ${named('failed')}`);
  if (state.collection?.stale) add('bad', 'No collection for two intervals');
  for (const { name, out_of_range: side } of state.grids.filter(isActive)) {
    if (side && side !== 'none') add('bad', `The price is ${side} the range of ${name}`);
  }
  for (const grid of state.grids.filter(isActive)) {
    if (grid.missing_orders > 0) add('warn', `${grid.name} lacks ${grid.missing_orders} orders`);
    if (grid.captured_at && grid.total_pnl === null)
      add('warn', `The profit of ${grid.name} is unknown`);
  }
  if (total && !total.equity_complete) {
    add('warn', `Equity is unknown: no price for ${total.unpriced_assets.join(', ')}`);
  }
  if (named('partial')) add('warn', `Incomplete: ${named('partial')}`);
  for (const { symbol } of state.grids.filter(isActive)) {
    const regime = state.regimes.find((one) => one.symbol === symbol);
    if (regime?.label.startsWith('trending'))
      add('warn', `${symbol} is trending, and a grid trades it`);
  }
  const unique = new Map(found.map((one) => [one.text, one]));
  return [...unique.values()].sort((one, other) =>
    one.tone === other.tone ? 0 : one.tone === 'bad' ? -1 : 1,
  );
}

const isActive = ({ status }) => status !== 'stopped';

const totalOf = (state) =>
  state.balances.find((item) => item.total === true && item.asset === null);

function worstTile(state) {
  const [worst, ...others] = findings(state);
  if (!worst)
    return tile('Problems', 'None', ['all components collected, all grids in range'], {
      tone: 'ok-tile',
      id: 'worst',
    });
  const more = others.slice(0, 2).map(({ text }) => text);
  const rest = others.length > 2 ? `and ${others.length - 2} more` : '';
  return tile('Problems', worst.text, [...more, rest], {
    tone: `${worst.tone}-tile`,
    id: 'worst',
  });
}

function equityTile(state, today) {
  const total = totalOf(state);
  if (!total) return tile('Equity', 'no data', ['no balance was collected']);
  const value = total.equity_complete ? number(total.total_equity) : 'unknown';
  const change = today?.result;
  const start = Number(today?.equity_start);
  const share =
    change != null && start > 0 ? ` (${signed((Number(change) / start) * 100, 2)} %)` : '';
  const moved = Number(today?.transfers ?? 0);
  return tile(`Equity, ${total.quote}`, value, [
    today
      ? element('em', { className: toneOf(change) }, `${signed(change)} today${share}`)
      : 'today: no data',
    moved === 0 ? '' : `and ${signed(moved)} deposited or withdrawn`,
    total.equity_complete
      ? ''
      : `${number(total.priced_equity)} without ${total.unpriced_assets.join(', ')}`,
    total.stale ? 'at an old price' : '',
  ]);
}

function profitTile(today) {
  if (!today) return tile('Profit today', 'no data', ['requires two balances of today']);
  const { result, grid_profit: pairs, inventory_result: inventory, fees, other } = today;
  const cost = fees === null ? null : -Number(fees);
  return tile(
    'Profit today',
    signed(result),
    [
      `pairs ${signed(pairs)} · inventory ${signed(inventory)}`,
      `fees ${signed(cost)} · other ${signed(other)}`,
    ],
    { tone: toneOf(result) },
  );
}

function riskTile(risk) {
  if (!risk) return tile('Exposure', 'no data', ['no balance was collected']);
  const leaning = [...risk.grids].sort(
    (one, other) => Math.abs(other.skew ?? 0) - Math.abs(one.skew ?? 0),
  )[0];
  const skew = leaning
    ? `skew ${leaning.skew === null ? 'unknown' : signed(leaning.skew, 2)} (${leaning.name})`
    : 'no grids';
  const { current } = risk.drawdown;
  return tile('Exposure', risk.exposure === null ? 'unknown' : percent(risk.exposure), [
    skew,
    `${current === null ? 'unknown' : percent(current)} below the ${risk.drawdown.days}-day peak`,
  ]);
}

function gridTile(state) {
  const grids = state.grids.filter(isActive);
  if (grids.length === 0) return tile('Grids', 'none', ['create one with POST /grids/create']);
  const outside = grids.filter(({ out_of_range: side }) => side && side !== 'none').length;
  const trips = grids.reduce((sum, grid) => sum + (grid.round_trips ?? 0), 0);
  const value =
    outside === 0 ? `${grids.length} in range` : `${outside} of ${grids.length} outside`;
  const sums = grids.map((grid) => grid.total_pnl);
  const total = sums.some((sum) => sum == null)
    ? null
    : sums.reduce((all, sum) => all + Number(sum), 0);
  return tile('Grids', value, [`${trips} round trips`, `total profit ${signed(total)}`], {
    tone: outside > 0 ? 'bad' : '',
  });
}

function showGlance(state, { profit, risk }) {
  const today = profit?.account.at(-1);
  by('glance').replaceChildren(
    worstTile(state),
    equityTile(state, today),
    profitTile(today),
    riskTile(risk),
    gridTile(state),
  );
}

globalThis.glance = { isActive, namesWith, showGlance, toneOf, totalOf };

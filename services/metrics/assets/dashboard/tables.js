const { age, by, element, known, number, signed } = globalThis.charting;
const { isActive, toneOf, totalOf } = globalThis.glance;

function table(caption, columns, rows, none) {
  if (rows.length === 0) return element('p', { className: 'none' }, none);
  const isNumber = columns.map((name) => name.startsWith('#'));
  const classOf = (index) => (isNumber[index] ? 'number' : '');
  const head = columns.map((name, index) =>
    element('th', { scope: 'col', className: classOf(index) }, name.replace('#', '')),
  );
  const body = rows.map((cells) =>
    element(
      'tr',
      {},
      ...cells.map((cell, index) => element('td', { className: classOf(index) }, cell)),
    ),
  );
  return element(
    'table',
    {},
    element('caption', {}, caption),
    element('thead', {}, element('tr', {}, ...head)),
    element('tbody', {}, ...body),
  );
}

const toned = (text, tone) => element('span', { className: tone }, text);

function bar(share) {
  const full = element('i');
  full.style.width = `${Math.max(0, Math.min(1, share)) * 100}%`;
  return element('span', { className: 'bar', ariaHidden: 'true' }, full);
}

function showHoldings(state) {
  const total = totalOf(state);
  const equity = Number(total?.total_equity ?? 0);
  const rows = state.balances
    .filter(({ asset }) => asset !== null)
    .sort((one, other) => Number(other.value_in_quote ?? -1) - Number(one.value_in_quote ?? -1))
    .map((item) => {
      const share =
        equity > 0 && item.value_in_quote !== null ? Number(item.value_in_quote) / equity : null;
      const weight =
        share === null
          ? 'unknown'
          : element('span', { className: 'weight' }, bar(share), `${(share * 100).toFixed(1)} %`);
      const worth =
        item.value_in_quote === null ? toned('no price', 'warn') : number(item.value_in_quote);
      return [
        item.asset,
        number(item.total),
        number(item.used),
        item.stale ? toned(worth, 'warn') : worth,
        weight,
      ];
    });
  by('holdings-age').textContent = total ? `${total.quote}, ${age(total.captured_at)}` : '';
  by('holdings').replaceChildren(
    table(
      'Holdings of the account',
      ['Asset', '#Amount', '#In orders', '#Worth', '#Share'],
      rows,
      'no data: no balance was collected',
    ),
  );
}

function showMarkets(state) {
  const rows = state.markets.map((item) => {
    const change = item.change_pct_24h;
    const moved = change === null ? 'unknown' : toned(`${signed(change, 2)} %`, toneOf(change));
    const seen = age(item.captured_at);
    return [
      item.symbol,
      number(item.last),
      moved,
      item.spread_bps.toFixed(2),
      item.stale ? toned(`stale, ${seen}`, 'warn') : seen,
    ];
  });
  by('markets').replaceChildren(
    table(
      'Prices of the collected symbols',
      ['Symbol', '#Last', '#24 hours', '#Spread, bps', 'Seen'],
      rows,
      'no data: no price was collected',
    ),
  );
}

function meter(position) {
  const mark = element('i');
  mark.style.left = `${Math.max(0, Math.min(1, position)) * 100}%`;
  return element(
    'span',
    { className: 'meter', role: 'img', ariaLabel: `${Math.round(position * 100)} % of the way up` },
    mark,
  );
}

const severity = (grid) => {
  if (!isActive(grid)) return 4;
  if (grid.out_of_range && grid.out_of_range !== 'none') return 0;
  if (grid.missing_orders > 0) return 1;
  return grid.total_pnl === null ? 2 : 3;
};

function stateOf(grid) {
  if (!isActive(grid)) return 'stopped';
  if (grid.captured_at === undefined) return 'no data';
  if (grid.out_of_range !== 'none') return toned(grid.out_of_range, 'bad');
  return grid.missing_orders > 0
    ? toned(`${grid.missing_orders} missing`, 'warn')
    : toned('in range', 'good');
}

const money = (value) => (value == null ? known(value) : toned(signed(value), toneOf(value)));

function showGrids(state) {
  const rows = [...state.grids]
    .sort(
      (one, other) =>
        severity(one) - severity(other) ||
        Number(one.total_pnl ?? 0) - Number(other.total_pnl ?? 0),
    )
    .map((grid) => [
      element('span', {}, element('b', {}, grid.name), ` ${grid.symbol}`),
      stateOf(grid),
      grid.range_position === undefined ? 'no data' : meter(grid.range_position),
      String(grid.round_trips ?? 'no data'),
      money(grid.grid_profit),
      money(grid.inventory_result),
      money(grid.fees_total == null ? grid.fees_total : -Number(grid.fees_total)),
      element(
        'span',
        {},
        money(grid.total_pnl),
        grid.pnl_pct == null ? '' : ` (${signed(grid.pnl_pct, 2)} %)`,
      ),
      grid.last_fill_at ? age(grid.last_fill_at) : 'none yet',
    ]);
  by('grids').replaceChildren(
    table(
      'Grids',
      [
        'Grid',
        'State',
        'In range',
        '#Round trips',
        '#Pairs',
        '#Inventory',
        '#Fees',
        '#Profit',
        'Last fill',
      ],
      rows,
      'No grids yet: create one with POST /grids/create.',
    ),
  );
}

function showFills(fills) {
  const rows = (fills?.items ?? []).map((fill) => [
    element('time', { dateTime: fill.traded_at }, fill.traded_at.slice(5, 19).replace('T', ' ')),
    fill.grid_name,
    toned(fill.side, fill.side === 'buy' ? 'good' : 'second'),
    `${number(fill.amount)} ${fill.symbol.split('/')[0]}`,
    number(fill.price),
    number(fill.value),
    Number(fill.fee) === 0 ? 'none' : `${number(fill.fee)} ${fill.fee_asset ?? ''}`,
  ]);
  by('fills').replaceChildren(
    table(
      'Fills of grids, newest first',
      ['Time', 'Grid', 'Side', '#Amount', '#Price', '#Value', '#Fee'],
      rows,
      fills ? 'No fills yet.' : 'unknown: fills could not be read',
    ),
  );
}

function showAccounts({ accounts = [], account: shown }, range) {
  const rows = accounts.map((one) => {
    const href = `?${new URLSearchParams({ account: one.account, range })}`;
    const name =
      one.account === shown
        ? element('b', { ariaCurrent: 'page' }, one.account)
        : element('a', { href }, one.account);
    const worth = one.total_equity === null ? 'unknown' : number(one.total_equity);
    const failed = one.failed_components.map((part) => part.replaceAll('_', ' ')).join(', ');
    const state = failed ? toned(`failed: ${failed}`, 'wraps bad') : toned('incomplete', 'warn');
    return [
      name,
      one.degraded ? state : toned('ok', 'good'),
      one.total_equity === null ? toned(worth, 'warn') : worth,
      one.quote,
      one.captured_at ? age(one.captured_at) : 'never',
      one.exchange,
    ];
  });
  by('accounts-panel').hidden = rows.length === 0;
  by('accounts').replaceChildren(
    table(
      'Value of each account',
      ['Account', 'State', '#Equity', 'In', 'Seen', 'Exchange'],
      rows,
      'no account',
    ),
  );
}

globalThis.tables = { showAccounts, showFills, showGrids, showHoldings, showMarkets, table };

const { age, by, draw, element, known, number, seconds } = globalThis.charting;
const { isActive } = globalThis.glance;

function facts(grid) {
  const orders =
    grid.open_buy_orders === undefined
      ? 'no data'
      : `${grid.open_buy_orders} buy, ${grid.open_sell_orders} sell`;
  const amount = (value) => (value == null ? known(value) : number(value));
  const pairs = [
    ['Realised', amount(grid.realised_pnl)],
    ['Unrealised', amount(grid.unrealised_pnl)],
    ['Orders', orders],
    ['Missing', known(grid.missing_orders)],
    [
      'Held',
      grid.inventory_base == null
        ? known(grid.inventory_base)
        : `${number(grid.inventory_base)} ${grid.symbol.split('/')[0]}`,
    ],
    ['Seen', grid.captured_at ? age(grid.captured_at) : 'no data'],
  ];
  const terms = pairs.map(([name, value]) =>
    element('div', {}, element('dt', {}, name), element('dd', {}, value)),
  );
  return element('dl', {}, ...terms);
}

function place(grids) {
  const ids = grids.map(({ grid_id }) => grid_id).join();
  if (by('grid-charts').dataset.ids === ids) return;
  by('grid-charts').dataset.ids = ids;
  const made = grids.map(({ name, symbol }, index) => {
    const chart = (id, text) =>
      element('div', {
        id: `${id}-${index}`,
        className: 'chart',
        role: 'img',
        ariaLabel: `${text} of ${name}`,
      });
    const head = element(
      'div',
      {},
      element('h3', {}, `${name}, ${symbol}`),
      element('div', { id: `facts-${index}` }),
    );
    const pair = element(
      'div',
      { className: 'pair' },
      chart('levels', 'Price and levels'),
      chart('pnl', 'Profit'),
    );
    return element('div', { className: 'grid' }, head, pair);
  });
  by('grid-charts').replaceChildren(...made);
}

async function showGridCharts(state, { series, time }) {
  const grids = state.grids.filter(isActive);
  if (grids.length === 0) {
    by('grid-charts').replaceChildren(element('p', { className: 'none' }, 'No grids yet.'));
    by('grid-charts').dataset.ids = '';
    return;
  }
  place(grids);
  const histories = await Promise.all(grids.map(({ grid_id }) => series('grid', { grid_id })));
  for (const [index, grid] of grids.entries()) {
    by(`facts-${index}`).replaceChildren(facts(grid));
    const items = histories[index];
    const times = items.map((item) => seconds(item.bucket_start));
    const values = (name) => items.map((item) => (item[name] == null ? null : Number(item[name])));
    const levels = grid.levels ?? [];
    const size = { ...time, height: 210 };
    draw(`levels-${index}`, [['Price', '--accent']], [times, values('mark_price')], {
      levels,
      ...size,
    });
    const lines = [
      ['Profit', '--accent'],
      ['Pairs', '--good'],
    ];
    draw(`pnl-${index}`, lines, [times, values('total_pnl'), values('grid_profit')], size);
  }
}

globalThis.grids = { showGridCharts };

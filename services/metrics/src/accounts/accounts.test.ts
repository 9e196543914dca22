import { type Harness, startHarness } from '../../test/harness';
import { createAccountFiles, useTwoAccounts } from '../../test/two-accounts';
import { readConfig } from '../config';

const { listing, write } = createAccountFiles();

describe('several accounts', () => {
  const exchanges = useTwoAccounts();
  let service: Harness;
  beforeAll(async () => {
    exchanges.second.account.balances = { USDT: { free: '777', locked: '0' } };
    const env = exchanges.env(
      { name: 'broken', exchange: 'nowhere' },
      { name: 'play', exchange: 'simulated', symbols: ['BTC/USDT', 'ETH/USDT'] },
    );
    service = await startHarness({ env });
  });
  afterAll(() => service.close());

  const get = async (path: string) => (await service.http.get(path).expect(200)).body;
  const collect = async (id: string) =>
    (await service.http.post('/metrics/collect').send({ collection_id: id }).expect(200)).body;

  it('share one collection, in which an unusable account does not affect the others', async () => {
    const { accounts, components, data_points_collected, failed_components } = await collect('all');
    expect(Object.keys(accounts)).toEqual(['main', 'second', 'broken', 'play']);
    expect(accounts.main).toMatchObject({ degraded: false, failed_components: [] });
    expect(accounts.second.components.account_balance).toMatchObject({ status: 'ok' });
    expect(accounts.broken.components.market_data).toMatchObject({
      status: 'failed',
      failures: [{ code: 'permission', message: expect.stringMatching(/^broken: EXCHANGE_ID/) }],
    });
    expect(components.market_data).toMatchObject({ status: 'partial', data_points: 4 });
    expect(failed_components).toEqual([]);
    const { items } = await get('/metrics/history?collection_id=all');
    expect(items).toHaveLength(data_points_collected);
  });

  it('can be selected by account or by exchange in queries', async () => {
    const markets = async (query: string) =>
      (await get(`/metrics/history?kind=market&${query}`)).items;
    expect((await markets('')).length).toBe(4);
    const [row] = await markets('account=second');
    expect(row).toMatchObject({ account: 'second', symbol: 'BTC/USDT' });
    expect(row.exchange).toBe(`binance@${new URL(exchanges.second.url).host}`);
    expect(await markets(`exchange=${row.exchange}`)).toEqual([row]);
    const buckets = await markets('account=play&interval=1d&agg=avg&symbol=BTC/USDT');
    expect(buckets).toMatchObject([{ exchange: 'simulated', account: 'play', samples: 1 }]);
    const exported = await service.http.get('/metrics/export?kind=market&account=play');
    expect(exported.text.trim().split('\r\n')).toHaveLength(3);
    expect((await get('/risk?account=second')).equity).toBe('777');
    expect((await get('/risk')).account).toBe('main');
    expect((await service.http.get('/risk?account=nobody')).status).toBe(422);
  });

  it('have a joint dashboard and a dashboard per account', async () => {
    const state = await get('/dashboard/state');
    expect(state).toMatchObject({ account: 'main', degraded: false });
    expect(state.accounts).toMatchObject([
      { account: 'main', degraded: false, total_equity: expect.any(String) },
      { account: 'second', total_equity: '777', quote: 'USDT' },
      {
        ...{ account: 'broken', exchange: 'nowhere', simulated: false },
        ...{ degraded: true, total_equity: null },
      },
      { account: 'play', exchange: 'simulated', simulated: true },
    ]);
    expect((await get('/dashboard/state?account=play')).markets).toHaveLength(2);
    const broken = await get('/dashboard/state?account=broken');
    expect(broken).toMatchObject({ exchange: 'nowhere', simulated: false, degraded: true });
    const page = (await service.http.get('/metrics')).text;
    expect(page).toMatch(/marketmetrics_market_last_price\{.*account="second".*\} \d/);
    expect(page).toMatch(/marketmetrics_market_last_price\{.*account="play".*\} \d/);
    expect(page).toMatch(/marketmetrics_exchange_circuit_open\{account="main"\} 0/);
    const { components, status } = await get('/health');
    expect(status).toBe('ok');
    expect(components.accounts).toMatchObject({
      main: { status: 'ok' },
      broken: { status: 'unavailable', problem: expect.any(String) },
    });
  });

  it('do not affect each other when one exchange is unavailable', async () => {
    exchanges.second.fail('503');
    const { accounts } = await collect('one-away');
    exchanges.second.fail(null);
    expect(accounts.second.failed_components).toContain('account_balance');
    expect(accounts.main).toMatchObject({ degraded: false });
    expect(accounts.play).toMatchObject({ degraded: false });
    const circuits = (await get('/health')).components.accounts;
    expect(circuits.main.circuit).toBe('closed');
  });

  it('have separate grids and regimes', async () => {
    const grid = {
      ...{ name: 'of-play', symbol: 'BTC/USDT', account: 'play', total_quote: 5000 },
      ...{ lower_price: 30_000, upper_price: 120_000, grid_count: 6 },
    };
    const made = (await service.http.post('/grids/create').send(grid).expect(201)).body;
    expect(made).toMatchObject({ exchange: 'simulated', account: 'play', mode: 'simulated' });
    const { accounts } = await collect('with-grid');
    expect(accounts.play.components.grid_status.data_points).toBe(1);
    expect(accounts.main.components.grid_status.data_points).toBe(0);
    const stopped = await service.http.post(`/grids/${made.grid_id}/stop`).expect(200);
    expect(stopped.body.status).toBe('stopped');
    for (const what of ['stop', 'rebase']) {
      const rebase = { initial_base: 0 };
      await service.http.post(`/grids/a%00b/${what}`).send(rebase).expect(404);
    }
    const { body } = await service.http
      .post('/regime/analyze')
      .send({ account: 'play', symbol: 'ETH/USDT' });
    expect(body.items).toMatchObject([{ account: 'play', symbol: 'ETH/USDT' }]);
    const unknown = await service.http.post('/grids/create').send({ ...grid, account: 'nobody' });
    expect([unknown.status, unknown.body.detail[0].loc]).toEqual([422, ['body', 'account']]);
  });

  it('have an account column in an export, even if its first row has no account', async () => {
    await service.rows(
      `UPDATE market_snapshot SET exchange = 'kraken' WHERE id = (SELECT min(id) FROM market_snapshot)`,
    );
    const { text } = await service.http.get('/metrics/export?kind=market').expect(200);
    const [head, first, second] = text.split('\r\n');
    expect(head).toMatch(/,account$/);
    expect(first).toMatch(/,$/);
    expect(second).toMatch(/,(main|second|play)$/);
  });
});

describe('the reader of METRICS_ACCOUNTS', () => {
  const read = (path: string) =>
    readConfig({ DATABASE_URL: 'postgresql://x', METRICS_ACCOUNTS: path });

  it.each([
    ['{', /must be the path of a readable JSON file/],
    ['{"accounts":[]}', /METRICS_ACCOUNTS: accounts: /],
    ['{"accounts":[{"name":"A b","exchange":"kraken"}]}', /accounts\.0\.name: must have 1 to 32/],
    ['{"accounts":[{"name":"a","exchange":"kraken","api_key":"x"}]}', /accounts\.0/],
    [
      '{"accounts":[{"name":"a","exchange":"kraken"},{"name":"a","exchange":"okx"}]}',
      /contains the name a twice/,
    ],
    [
      '{"accounts":[{"name":"a","exchange":"simulated"},{"name":"b","exchange":"simulated"}]}',
      /at most one simulated account/,
    ],
  ])('rejects a file that contains %s', (text, problem) => {
    expect(read(write('bad.json', text)).exchangeProblem).toMatch(problem);
  });

  it('reports the problem of each account without the content of key files', () => {
    const key = write('some.key', 'very-secret');
    const path = listing(
      { name: 'a', exchange: 'kraken', api_key_file: key },
      { name: 'b', exchange: 'kraken', symbols: ['nonsense'] },
      { name: 'c', exchange: 'okx', api_key_file: '/nowhere', api_secret_file: key },
      { name: 'd', exchange: 'kraken', base_url: 'nonsense' },
    );
    const problems = read(path).accounts.map(({ problem }) => problem);
    expect(problems).toEqual([
      'a: EXCHANGE_API_KEY and EXCHANGE_API_SECRET must be set together',
      'b: symbols: must be symbols such as BTC/USDT, or perpetuals such as BTC/USDT:USDT, which settle in their quote asset',
      'c: /nowhere cannot be read',
      'd: base_url: Invalid URL',
    ]);
    expect(problems.join()).not.toContain('very-secret');
  });
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { withTable } from '@switchyard/server';
import {
  documentationFaults,
  documentedMetrics,
  missingEntries,
  readAlertRules,
  readDashboard,
  readPage,
  unknownMetrics,
} from '@switchyard/testing';
import { type Harness, startHarness, startService } from '../../test/harness';
import { METRIC_PREFIX } from '../create-gauge';
import { ExchangeFailure } from '../exchange/failure';
import { kindMetricsList } from './exposition';

const ASSETS = join(__dirname, '../../assets');
const DOCS = join(__dirname, '../../../../docs');

describe('GET /metrics', () => {
  let service: Harness;
  beforeAll(async () => {
    const symbols = ['BTC', 'ETH', 'SOL', 'BNB', 'XRP', 'ADA', 'DOGE', 'AVAX', 'LINK', 'LTC'];
    const perpetuals = ['BTC/USDT:USDT'];
    const config = { symbols: symbols.map((asset) => `${asset}/USDT`), perpetuals };
    service = await startHarness({ config });
    await service.http.post('/grids/create').send({
      name: 'watched',
      symbol: 'XRP/USDT',
      lower_price: 0.3,
      upper_price: 0.9,
      grid_count: 10,
      total_quote: 5000,
    });
    for (let turn = 0; turn < 3; turn++) {
      const id = `an-id-that-must-not-be-a-label-${turn}`;
      await service.http.post('/metrics/collect').send({ collection_id: id });
      await service.http.get(`/nothing/${turn}`);
    }
  });
  afterAll(() => service.close());

  const page = async () => (await service.http.get('/metrics')).text;
  const samples = (text: string) =>
    text.split('\n').filter((line) => line && !line.startsWith('#'));

  it('returns valid Prometheus text with unique names and numeric values', async () => {
    const answer = await service.http.get('/metrics');
    expect(answer.headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/);
    const types = answer.text.match(/^# TYPE \S+/gm) ?? [];
    expect(new Set(types).size).toBe(types.length);
    for (const line of samples(answer.text)) {
      expect(line).toMatch(/^[a-z_:][a-z0-9_:]*(\{.*\})? (-?\d[\d.e+-]*|\+Inf)$/i);
    }
  });

  it('contains the same risk values as GET /risk', async () => {
    const { body } = await service.http.get('/risk');
    const text = await page();
    const [grid] = body.grids;
    expect(text).toContain(`marketmetrics_drawdown_ratio ${body.drawdown.current}\n`);
    expect(text).toContain(`marketmetrics_exposure_ratio ${body.exposure}\n`);
    const skew = `marketmetrics_grid_skew_ratio{grid_id="${grid.grid_id}"} ${grid.skew}\n`;
    expect(text).toContain(skew);
  });

  it('contains the values of the last collection', async () => {
    const text = await page();
    expect(text).toMatch(/marketmetrics_collections_total\{status="success"\} 3/);
    expect(text).toMatch(/marketmetrics_equity_quote\{.*simulated="true"\} \d/);
    expect(text.match(/^marketmetrics_market_last_price\{/gm)).toHaveLength(10);
    expect(text).toMatch(/marketmetrics_grid_missing_orders\{grid_id="[^"]+"\} 0/);
    expect(text).toMatch(/marketmetrics_regime\{symbol="BTC\/USDT",label="[a-z_]+"\} 1/);
    expect(text).toMatch(/marketmetrics_last_success_timestamp_seconds\{kind="market"\} \d+/);
    expect(text).toMatch(/marketmetrics_exchange_circuit_open 0/);
  });

  it('has fewer than 500 samples and no unbounded labels', async () => {
    await page();
    const text = await page();
    expect(samples(text).length).toBeLessThan(500);
    expect(text).not.toContain('an-id-that-must-not-be-a-label');
    expect(text).not.toContain('/nothing/');
  });

  it('contains exactly the metrics in the lists of docs/metrics.md', async () => {
    const table = readFileSync(join(DOCS, 'metrics.md'), 'utf8');
    const documented = documentedMetrics(table, METRIC_PREFIX);
    const shown = readPage(await page());
    const sometimes = [
      'marketmetrics_component_failures_total',
      'marketmetrics_exchange_request_duration_seconds',
      'marketmetrics_exchange_key_may',
      'marketmetrics_margin_ratio',
      'marketmetrics_portfolio_drawdown_ratio',
      'marketmetrics_portfolio_equity_quote',
      'marketmetrics_portfolio_exposure_quote',
      'marketmetrics_position_value_quote',
      'marketmetrics_position_unrealised_pnl',
      'marketmetrics_position_funding_received',
      'marketmetrics_position_liquidation_distance_ratio',
    ];
    const faults = documentationFaults(documented, shown, METRIC_PREFIX);
    expect(faults.filter((fault) => !sometimes.some((name) => fault.startsWith(name)))).toEqual([]);
    expect([...shown.keys()]).toEqual(expect.arrayContaining(sometimes));
  });

  it('contains the metrics per kind that docs/metrics.md lists (update: `npm run format`)', () => {
    const document = readFileSync(join(DOCS, 'metrics.md'), 'utf8');
    expect(withTable(document, 'metrics of kinds', kindMetricsList())).toBe(document);
  });

  it('contains every metric of the alert rules and the dashboard, while the runbook contains every alert', async () => {
    const rules = readAlertRules('marketmetrics');
    const panels = readDashboard('metrics');
    const shown = readPage(await page());
    expect(unknownMetrics([...rules.map(({ expr }) => expr), ...panels], shown)).toEqual([]);
    expect(missingEntries(rules, readFileSync(join(DOCS, 'runbook.md'), 'utf8'))).toEqual([]);
  });
});

it('the sample workflow calls POST /metrics/collect with retries and a unique id', () => {
  const text = readFileSync(join(ASSETS, 'n8n-workflow.json'), 'utf8');
  const { nodes, connections } = JSON.parse(text) as {
    nodes: { name: string; parameters: Record<string, string>; maxTries?: number }[];
    connections: Record<string, { main: { node: string }[][] }>;
  };
  const names = nodes.map((node) => node.name);
  for (const [from, { main }] of Object.entries(connections)) {
    expect(names).toEqual(expect.arrayContaining([from, ...main.flat().map(({ node }) => node)]));
  }
  const call = nodes.find((node) => node.name === 'Collect');
  expect(call?.maxTries).toBe(5);
  expect(call?.parameters.url).toMatch(/\/metrics\/collect$/);
  expect(call?.parameters.jsonBody).toMatch(
    /collection_id: 'n8n_' \+ \$execution\.id \+ '_' \+ \$workflow\.id/,
  );
  expect(text).not.toMatch(/\$env/);
});

describe('the sample workflow', () => {
  const { nodes } = JSON.parse(readFileSync(join(ASSETS, 'n8n-workflow.json'), 'utf8')) as {
    nodes: { name: string; parameters: { jsCode: string } }[];
  };
  const compare = nodes.find(({ name }) => name === 'Compare');
  const known = {};
  const notify = (json: object): string[] => {
    const scope = {
      $getWorkflowStaticData: () => known,
      $input: { first: () => ({ json }) },
    };
    const items = runInNewContext(`(() => {${compare?.parameters.jsCode}})()`, scope);
    return [...items].map((item: { json: { text: string } }) => item.json.text);
  };
  const failures = [{ code: 'timeout', target: 'BTC/USDT' }];
  const answer = (status: string) => ({
    status: 'success',
    components: { market_data: { status, failures }, transfers: { status: 'skipped' } },
  });

  it.each([
    ['nothing after a complete collection', answer('ok'), []],
    [
      'the missing parts when an outage begins',
      answer('partial'),
      ['Collected without market_data (partial: timeout BTC/USDT)'],
    ],
    ['nothing while the outage lasts', answer('failed'), []],
    ['nothing if the service becomes unreachable too', { error: { message: 'refused' } }, []],
    ['the end of the outage', answer('ok'), ['All components were collected again']],
    ['nothing after the next complete collection', answer('ok'), []],
    [
      'the reason when a collection fails',
      { status: 'error', error: 'storage: away' },
      ['The collection failed: storage: away'],
    ],
  ])('sends %s', (_what, json, expected) => {
    expect(notify(json)).toEqual(expected);
  });
});

describe('marketmetrics_last_success_timestamp_seconds', () => {
  let service: Harness;
  beforeAll(async () => {
    service = await startHarness();
  });
  afterAll(() => service.close());

  const successes = async ({ http }: Pick<Harness, 'http'>) => {
    const { text } = await http.get('/metrics');
    const found = text.matchAll(/last_success_timestamp_seconds\{kind="(\w+)"\} ([\d.e+]+)/g);
    return Object.fromEntries([...found].map(([, kind, at]) => [kind, Number(at)]));
  };

  it('contains 0 after a restart for a kind that never succeeded', async () => {
    const { exchange } = service.context;
    const away = () => Promise.reject(new ExchangeFailure('auth', 'all', 'a bad key'));
    const context = { exchange: () => ({ ...exchange, balance: away, close: async () => {} }) };
    const sick = await startService({ url: service.database.url, context });
    expect(await successes(sick)).toEqual({});
    await sick.http.post('/metrics/collect').send({});
    await sick.close();
    const restarted = await startService({ url: service.database.url, context });
    const found = await successes(restarted);
    await restarted.close();
    expect(found).toMatchObject({
      balance: 0,
      market: expect.any(Number),
      regime: expect.any(Number),
    });
    expect(found.market).toBeGreaterThan(1e9);
  });

  it('keeps the time of the last success after later failures', async () => {
    await service.http.post('/metrics/collect').send({});
    const before = await successes(service);
    expect(before.balance).toBeGreaterThan(1e9);
    const { exchange } = service.context;
    const away = () => Promise.reject(new ExchangeFailure('unavailable', 'all', 'away'));
    const context = { exchange: () => ({ ...exchange, balance: away, close: async () => {} }) };
    const sick = await startService({ url: service.database.url, context });
    await sick.http.post('/metrics/collect').send({});
    const after = await successes(sick);
    await sick.close();
    expect(after.balance).toBe(before.balance);
    expect(after.market).toBeGreaterThan(before.market as number);
  });
});

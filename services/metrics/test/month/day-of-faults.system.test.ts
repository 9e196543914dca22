import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  cloneDatabase,
  type Gate,
  openGate,
  readPage,
  ruleFailures,
  until,
  writeRuleFile,
} from '@switchyard/testing';
import { binance } from '@switchyard/testing/exchange-sim/binance';
import type { Fault } from '@switchyard/testing/exchange-sim/faults';
import { createMarkets, type SimMarket } from '@switchyard/testing/exchange-sim/market';
import { type ExchangeSim, startExchangeSim } from '@switchyard/testing/exchange-sim/server';
import { stringify } from 'yaml';
import { decimal } from '../../src/decimal';
import { clockAt, startService } from '../harness';
import { liveSettings } from '../live-settings';

const STEP_MS = 300_000;
const STEPS = 288;
const LENGTH = 10;

interface Outage {
  from: number;
  fault: Fault | 'database';
  path?: string;
  failed: string[];
}

const ALL = ['account_balance', 'market_data'];
const OUTAGES: Outage[] = [
  { from: 24, fault: 'reset', failed: ALL },
  { from: 60, fault: '418', failed: ALL },
  { from: 96, fault: 'limited', failed: ALL },
  { from: 132, fault: 'cut', failed: ALL },
  { from: 168, fault: 'empty', failed: ALL },
  { from: 204, fault: '503', path: '/account', failed: ['account_balance'] },
  { from: 240, fault: 'database', failed: [] },
];
const outageAt = (step: number) =>
  OUTAGES.find(({ from }) => step >= from && step < from + LENGTH) ?? null;

describe('a day of faults', () => {
  const start = Date.UTC(2031, 0, 6);
  const clock = clockAt(new Date(start).toISOString());
  const now = () => clock.now().getTime();
  const markets = new Map(createMarkets(7).map((market) => [market.symbol, market]));
  const quoteAt = (symbol: string, time: number) => {
    const { bid, ask, last } = (markets.get(symbol) as SimMarket).ticker(time);
    return { last, mid: decimal(bid).plus(ask).div(2) };
  };

  let sim: ExchangeSim;
  let gate: Gate;
  let database: Awaited<ReturnType<typeof cloneDatabase>>;
  let service: Awaited<ReturnType<typeof startService>>;
  const scraped: Map<string, number>[] = [];

  beforeAll(async () => {
    sim = await startExchangeSim({ dialect: binance, seed: 7, now });
    database = await cloneDatabase('metrics');
    gate = await openGate(database.url);
    service = await startService({
      url: gate.url,
      context: { clock },
      env: {
        ...liveSettings(sim),
        METRICS_SYMBOLS: 'BTC/USDT,ETH/USDT',
        METRICS_COLLECTION_TIMEOUT_MS: '30000',
      },
    });
    for (let step = 0; step < STEPS; step++) {
      await fall(step);
      await look(step);
      clock.forward(STEP_MS);
    }
  });
  afterAll(async () => {
    await service?.close();
    await gate?.close();
    await database?.drop();
    await sim?.close();
  });

  const fall = async (step: number) => {
    const [outage, before] = [outageAt(step), outageAt(step - 1)];
    if (outage === before) return;
    sim.fail(null);
    if (before?.fault === 'database') await gate.open();
    if (outage?.fault === 'database') await gate.shut();
    else if (outage) sim.fail(outage.fault, outage.path);
  };

  const seen: { step: number; status: number; body: Record<string, unknown>; page: boolean }[] = [];
  const look = async (step: number) => {
    const outage = outageAt(step);
    const isSkipped = outage?.fault === 'database' && step > outage.from + 1;
    const { status, body } = isSkipped
      ? { status: 500, body: {} }
      : await service.http.post('/metrics/collect').send({});
    if (!isSkipped) {
      await until(`the health of step ${step}`, async () => {
        const { status: health } = await service.http.get('/health');
        return health === (outage?.fault === 'database' ? 500 : 200);
      });
    }
    const isUp = outage?.fault !== 'database';
    const page = isUp ? (await service.http.get('/dashboard/state')).body.degraded : true;
    seen.push({ step, status, body, page });
    scraped.push(isSkipped ? (scraped.at(-1) as Map<string, number>) : await scrape());
  };

  const scrape = async () => {
    const { text } = await service.http.get('/metrics');
    const values = new Map<string, number>();
    for (const { name, samples } of readPage(text).values()) {
      if (
        !/^marketmetrics_(dashboard|last_success|interval|exchange_circuit|collections)/.test(name)
      )
        continue;
      for (const { labels, value } of samples) {
        const texts = Object.entries(labels).map(([key, label]) => `${key}="${label}"`);
        const isMoment = name.endsWith('timestamp_seconds');
        values.set(`${name}{${texts.join(',')}}`, isMoment ? value - start / 1000 : value);
      }
    }
    return values;
  };

  it('sets degraded in collections and in the metrics only during an outage', () => {
    for (const { step, status, body, page } of seen) {
      if (status === 200) expect([step, page]).toEqual([step, body.degraded]);
      const outage = outageAt(step);
      const isRecovering = outageAt(step - 1) !== null || outageAt(step - 2) !== null;
      if (outage?.fault === 'database') expect(status).toBe(500);
      else if (outage) {
        expect([step, status, body.degraded]).toEqual([step, 200, true]);
        expect(body.failed_components).toEqual(expect.arrayContaining(outage.failed));
      } else if (!isRecovering) expect([step, status, body.degraded]).toEqual([step, 200, false]);
    }
  });

  it('causes no wrong prices or totals', async () => {
    const { pool } = service.context.db;
    const prices = await pool.query(
      'SELECT captured_at, symbol, last::text, mid::text FROM market_snapshot WHERE NOT stale',
    );
    for (const { captured_at, symbol, last, mid } of prices.rows) {
      const true_ = quoteAt(symbol, captured_at.getTime());
      expect([decimal(last).toFixed(8), decimal(mid).toFixed(8)]).toEqual([
        decimal(true_.last).toFixed(8),
        true_.mid.toFixed(8),
      ]);
    }
    expect(prices.rows.length).toBeGreaterThan(2 * 200);
    const totals = await pool.query(
      'SELECT captured_at, total_equity::text AS equity FROM balance_snapshot WHERE total_row AND total_equity IS NOT NULL',
    );
    for (const { captured_at, equity } of totals.rows) {
      const at = captured_at.getTime();
      const of = (symbol: string, amount: number) => quoteAt(symbol, at).mid.times(amount);
      const held = of('BTC/USDT', 0.75).plus(of('ETH/USDT', 5)).plus('10250.5');
      expect(decimal(equity).toFixed(8)).toBe(held.toFixed(8));
    }
    expect(totals.rows.length).toBeGreaterThan(200);
  });

  it('fires an alert within 30 minutes of the start of each outage, and resolves it within 15 minutes of the end', async () => {
    const expr = 'clamp_max(count(ALERTS{alertname=~"Metrics.+", alertstate="firing"}), 1)';
    expect(
      await alertFailures(
        OUTAGES.flatMap(({ from }) => [
          firing(expr, (from - 1) * 5, false),
          firing(expr, (from + 6) * 5, true),
          firing(expr, (from + LENGTH - 1) * 5, true),
          firing(expr, (from + LENGTH + 3) * 5, false),
        ]),
      ),
    ).toBe('');
  });

  it('fires the critical alert after two intervals without data plus the duration in `for`', async () => {
    const expr = 'count(ALERTS{alertname="MetricsCollectionMissed", alertstate="firing"})';
    expect(
      await alertFailures(
        OUTAGES.filter(({ failed }) => failed === ALL).flatMap(({ from }) => {
          const lastData = (from - 1) * 5;
          return [firing(expr, lastData + 10, false), firing(expr, lastData + 12, true)];
        }),
      ),
    ).toBe('');
  });

  const firing = (expr: string, minute: number, isFiring: boolean) => ({
    expr,
    eval_time: `${minute}m`,
    exp_samples: isFiring ? [{ labels: '{}', value: 1 }] : [],
  });

  const alertFailures = async (promql_expr_test: object[]) => {
    const names = [...new Set(scraped.flatMap((values) => [...values.keys()]))];
    const input_series = names.map((name) => ({
      series: name,
      values: scraped.map((values) => values.get(name) ?? '_').join(' '),
    }));
    const folder = mkdtempSync(join(tmpdir(), 'rules-'));
    const file = join(folder, 'day.yml');
    const tests = [{ interval: '5m', input_series, promql_expr_test }];
    const rule_files = [writeRuleFile(folder)];
    writeFileSync(file, stringify({ rule_files, evaluation_interval: '1m', tests }));
    return ruleFailures(file);
  };
});

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPrometheus, until } from '@switchyard/testing';
import { binance } from '@switchyard/testing/exchange-sim/binance';
import { startExchangeSim } from '@switchyard/testing/exchange-sim/server';
import { startHarness } from '../harness';
import { liveSettings } from '../live-settings';

describe('a Prometheus server with the alert rules', () => {
  it('evaluates each rule, fires MetricsCollectionMissed during an outage of the exchange, and resolves it afterwards', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'prometheus-'));
    const sim = await startExchangeSim({ dialect: binance, seed: 7 });
    const env = { ...liveSettings(sim), METRICS_SYMBOLS: 'BTC/USDT', METRICS_INTERVAL_SEC: '5' };
    const service = await startHarness({ env });
    const prometheus = await startPrometheus(folder, `127.0.0.1:${service.port}`);
    const collect = async () =>
      (await service.http.post('/metrics/collect').send({}).expect(200)).body.failed_components;
    if (prometheus) {
      const states = async () => {
        const alerts = await prometheus.alerts();
        const missed = alerts.filter(
          ({ labels }) => labels.alertname === 'MetricsCollectionMissed',
        );
        return missed.map(({ labels, state }) => `${labels.severity} ${state}`);
      };
      const reaches = (state: string[], failed: unknown) =>
        until(`the alert is ${state}`, async () => {
          expect(await collect()).toEqual(failed);
          return JSON.stringify(await states()) === JSON.stringify(state);
        });
      await collect();
      await until('each rule is evaluated', async () => {
        const health = Object.values(await prometheus.rules());
        return health.length > 0 && health.every((one) => one !== 'unknown');
      });
      const faults = Object.entries(await prometheus.rules()).filter(
        ([, health]) => health !== 'ok',
      );
      expect(faults).toEqual([]);
      await reaches([], []);
      sim.fail('reset');
      const failed = expect.arrayContaining(['account_balance', 'market_data']);
      await reaches(['critical pending'], failed);
      await reaches(['critical firing'], failed);
      sim.fail(null);
      await until('the exchange is asked again', async () => (await collect()).length === 0);
      await reaches([], []);
      await prometheus.close();
    }
    await service.close();
    await sim.close();
    rmSync(folder, { recursive: true });
  });
});

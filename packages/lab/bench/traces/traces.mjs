import { once } from 'node:events';
import { createServer } from 'node:http';
import { buildFixture } from '../http/fixture.mjs';
import { requestRows } from '../http/rows.mjs';
import { withCleanup } from '../shared/cleanup.mjs';
import { openMachine } from '../shared/machine.mjs';
import { forgetKeys } from '../shared/processes.mjs';
import { inRounds } from '../shared/rounds.mjs';
import { scratchDatabase } from '../shared/scratch.mjs';
import { fixed, openReport, roundsOf } from '../shared/table.mjs';
import { startProduct } from '../shared/targets.mjs';

const ROWS = /^(GET issue, all linked|GET agent|POST issue|POST comment|POST invoke, run waits)$/;

export function bench(serverUrl, options) {
  return withCleanup(async (onEnd) => {
    const prefix = `bench${process.pid}`;
    onEnd(() => forgetKeys(prefix));
    const database = await scratchDatabase(serverUrl, 'traces');
    onEnd(() => database.drop());
    const pool = database.open();
    onEnd(() => pool.end());
    const collector = createServer((request, response) => {
      request.resume().on('end', () => response.end());
    });
    await once(collector.listen(0, '127.0.0.1'), 'listening');
    onEnd(async () => collector.close().closeAllConnections());
    const settings = {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collector.address().port}`,
      OTEL_SEMCONV_STABILITY_OPT_IN: 'gen_ai_latest_experimental',
    };
    const sampled = {
      ...settings,
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.01',
    };
    const targets = [];
    for (const [name, own] of Object.entries({ off: {}, on: settings, sampled })) {
      targets.push(await startProduct(name, database.url, prefix, { settings: own }));
      onEnd(targets.at(-1).stop);
    }
    const [off, ...others] = targets;
    const fixture = await buildFixture(`${off.url}/api`, pool);
    const machine = await openMachine(pool);
    const report = await openReport({ name: 'traces', options, pool });
    report.head(['request', 'CPU ms of the API', 'with traces', '1 % sampled', 'rounds']);
    for (const { title, run } of requestRows(() => fixture).filter(({ title }) =>
      ROWS.test(title),
    )) {
      if (!title.startsWith(options.only)) continue;
      await pool.query('VACUUM ANALYZE');
      const rounds = await inRounds(machine, targets, options.rounds, run);
      const base = rounds.of(off).service;
      const cells = others.map((target) => {
        const { service } = rounds.of(target);
        return `${fixed(service, 3)} (${fixed((service / base - 1) * 100, 1)} % more)`;
      });
      report.row([title, fixed(base, 3), ...cells, roundsOf(rounds)]);
    }
    return true;
  });
}

import { monitorEventLoopDelay } from 'node:perf_hooks';
import { allRoutes } from '@switchyard/orchestration/src/http/routes';
import { openAsker } from '@switchyard/orchestration/test/ask';
import { useHarness } from '@switchyard/orchestration/test/harness';
import { hugeBodies } from '@switchyard/orchestration/test/junk';
import { SECURITY_TABLE } from '@switchyard/orchestration/test/security-table';
import { buildSide, fill } from '@switchyard/orchestration/test/world';

/**
 * Prints how long one request blocks the process, with a megabyte of text in each text field of
 * each route (docs/guarantees.md, "No input blocks the process"). Asserts nothing; jest runs it
 * with `--testMatch` for `.bench.ts`.
 */
describe('the benchmark of the event loop', () => {
  const harness = useHarness();

  it('prints how long requests block the event loop', async () => {
    const asker = openAsker(harness.url);
    const { ids } = await buildSide(harness);
    const figures: { what: string; ms: number }[] = [];
    for (const route of allRoutes) {
      const row = SECURITY_TABLE[`${route.method} ${route.path}`];
      for (const [what, body] of hugeBodies(route.body, row?.body?.(ids) ?? {})) {
        const { method } = route;
        const question = { method, path: fill(route.path, ids), body: JSON.stringify(body) };
        const delay = monitorEventLoopDelay({ resolution: 1 });
        delay.enable();
        const { status } = await asker.ask(question);
        await new Promise((resolve) => setTimeout(resolve, 5));
        delay.disable();
        figures.push({ what: `${method} ${route.path} ${status} ${what}`, ms: delay.max / 1e6 });
      }
    }
    await asker.close();
    figures.sort((one, other) => other.ms - one.ms);
    const lines = figures.slice(0, 15).map(({ what, ms }) => `${ms.toFixed(1)} ms  ${what}`);
    process.stdout.write(`${figures.length} requests, the slowest:\n${lines.join('\n')}\n`);
  }, 600_000);
});

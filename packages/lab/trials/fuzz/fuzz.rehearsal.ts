import { asCurl } from '@switchyard/orchestration/test/fuzzing/judge';
import type { Failure, Sent } from '@switchyard/orchestration/test/fuzzing/send';
import { walkAuthenticatedMode, walkLocalMode } from '@switchyard/orchestration/test/fuzzing/walk';
import { walkMetrics } from './walk-metrics';

const requests = Number(process.env.FUZZ_REQUESTS ?? 20_000);
const firstSeed = Number(process.env.FUZZ_SEED ?? 1);

const PER_KIND = 5;
const SHOWN = 20;

const SERVICES = {
  'the API in local mode': walkLocalMode,
  'the API in authenticated mode': walkAuthenticatedMode,
  'the metrics service': walkMetrics,
};

function distinct(failures: readonly Failure[]): Failure[] {
  const kinds = failures.map(
    (failure) =>
      [
        `${failure.fault} ${failure.question.method} ${failure.question.path.replace(/[0-9a-f-]{36}|\?.*/g, '')}`,
        failure,
      ] as const,
  );
  return [...new Map(kinds.reverse()).values()].reverse();
}

const shown = ({ fault, question, reply }: Failure) =>
  `${fault}\n  ${asCurl('http://localhost:3100', question)}\n  ${JSON.stringify(reply?.body)?.slice(0, 600)}`;

it(`${requests} random requests get declared responses, and none is 5xx`, async () => {
  const failures: string[] = [];
  const started = performance.now();
  expect(requests).toBeGreaterThan(0);
  let all = 0;
  for (let seed = firstSeed; all < requests && failures.length < SHOWN; seed += 1) {
    for (const [name, walk] of Object.entries(SERVICES)) {
      const sent: Sent = await walk({ seed, perKind: PER_KIND });
      all += sent.count;
      if (sent.accepted === 0) failures.push(`seed ${seed}, ${name}: no request was accepted`);
      const found = distinct(sent.failures).map((one) => `seed ${seed}, ${name}: ${shown(one)}`);
      failures.push(...found);
      const rate = Math.round((all / (performance.now() - started)) * 1_000);
      const line = `seed ${seed}, ${name}: ${sent.count} requests, ${rate}/s in all`;
      process.stdout.write(`${[line, ...found.slice(0, SHOWN)].join('\n')}\n`);
    }
  }
  expect(failures).toEqual([]);
});

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort, post } from '../shared/build-company.mjs';
import { percentile } from '../shared/measure.mjs';
import { environmentOf, forgetKeys, startProcess } from '../shared/processes.mjs';
import { scratchDatabase } from '../shared/scratch.mjs';
import { buildGreedy, upload } from './press.mjs';

const ROUNDS = 5;
const REQUESTS = 200;
const RUNS = 20;
const SLOTS = 4;
const QUOTA_BYTES = 8 * 1024 * 1024;
const MAX_RATIO = 1.5;

async function buildNeighbour(api) {
  const { id } = await post(`${api}/companies`, { name: 'Neighbour' });
  const at = `${api}/companies/${id}`;
  const adapterConfig = { command: 'true' };
  const agent = await post(`${at}/agents`, {
    name: 'Agent',
    adapterType: 'process',
    adapterConfig,
  });
  const issue = await post(`${at}/issues`, { title: 'Issue' });
  const timed = async (ask) => {
    const started = performance.now();
    const answer = await ask();
    await answer.arrayBuffer?.();
    return performance.now() - started;
  };
  const questions = [
    () => fetch(`${at}/dashboard`),
    () => fetch(`${at}/issues`),
    () => fetch(`${api}/issues/${issue.id}`),
    () => post(`${api}/issues/${issue.id}/comments`, { body: 'a word' }),
    () => upload(`${at}/issues/${issue.id}/attachments`, 1_000),
  ];
  return {
    request: (n) => timed(questions[n % questions.length]),
    run: async () => {
      const { id: runId } = await post(`${api}/agents/${agent.id}/heartbeat/invoke`, {});
      for (;;) {
        const run = await (await fetch(`${api}/heartbeat-runs/${runId}`)).json();
        if (run.finishedAt)
          return Math.max(0, Date.parse(run.startedAt) - Date.parse(run.createdAt));
        await delay(20);
      }
    },
  };
}

async function measure(neighbour, into) {
  for (let n = 0; n < REQUESTS; n++) into.requests.push(await neighbour.request(n));
  for (let n = 0; n < RUNS; n++) into.runs.push(await neighbour.run());
}

/**
 * Measures one company's latency in alternating rounds, with and without a second company that uses
 * all streams, slots and bytes.
 */
export async function bench(serverUrl) {
  const prefix = `bench${process.pid}`;
  const database = await scratchDatabase(serverUrl, 'walls');
  const dataDir = await mkdtemp(join(tmpdir(), 'walls-'));
  const port = await freePort();
  const environment = {
    ...environmentOf(database.url, prefix),
    API_PORT: String(port),
    WORKER_CONCURRENCY: String(SLOTS),
    COMPANY_STORAGE_BYTES: String(QUOTA_BYTES),
    RATE_LIMIT_PER_CREDENTIAL: '0',
    DATA_DIR: dataDir,
  };
  const api = `http://127.0.0.1:${port}/api`;
  const started = [];
  try {
    for (const name of ['api', 'worker', 'worker']) {
      started.push(await startProcess(name, environment));
    }
    const neighbour = await buildNeighbour(api);
    const greedy = await buildGreedy(api);
    console.log(`the greedy company stored ${greedy.stored} files until its quota was full`);
    const alone = { requests: [], runs: [] };
    const pressed = { requests: [], runs: [] };
    await greedy.release();
    await measure(neighbour, { requests: [], runs: [] });
    for (let round = 1; round <= ROUNDS; round++) {
      await measure(neighbour, alone);
      const { streams, slots } = await greedy.press();
      console.log(`round ${round}: it holds ${streams} streams and ${slots} of ${2 * SLOTS} slots`);
      await measure(neighbour, pressed);
      await greedy.release();
    }
    let passed = true;
    for (const kind of ['requests', 'runs']) {
      const [before, during] = [alone, pressed].map((each) =>
        [0.5, 0.99].map((share) => percentile(each[kind], share)),
      );
      const ratio = during[1] / Math.max(before[1], 10);
      passed &&= ratio <= MAX_RATIO;
      const shown = (pair) => `p50 ${pair[0].toFixed(1)} ms, p99 ${pair[1].toFixed(1)} ms`;
      console.log(
        `${kind}: without load ${shown(before)}; pressed ${shown(during)}; ratio of p99 ${ratio.toFixed(2)}`,
      );
    }
    return passed;
  } finally {
    for (const each of started.reverse()) await each.stop();
    await database.drop();
    await forgetKeys(prefix);
    await rm(dataDir, { recursive: true, force: true });
  }
}

import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { buildCompany, freePort, post } from '../shared/build-company.mjs';
import { percentile } from '../shared/measure.mjs';
import { environmentOf, forgetKeys, startProcess } from '../shared/processes.mjs';
import { scratchDatabase } from '../shared/scratch.mjs';

const TRIGGERS = 4;
const VALID_PER_SECOND = 20;
const ROUNDS = 3;
const ROUND_MS = 10_000;
const MAX_RATIO = 1.5;
const NOISE_MS = 5;

const PHASES = [
  { name: 'alone', forged: null },
  { name: '90 % forged', forged: { perSecond: VALID_PER_SECOND * 9, connections: 64 } },
  { name: 'flood', forged: { perSecond: null, connections: 8 } },
];

async function load(workerData) {
  const worker = new Worker(new URL('./fire-load.mjs', import.meta.url), { workerData });
  const [found] = await once(worker, 'message');
  return found;
}

async function openApi(serverUrl) {
  const prefix = `bench${process.pid}`;
  const database = await scratchDatabase(serverUrl, 'webhooks');
  const port = await freePort();
  const environment = {
    ...environmentOf(database.url, prefix),
    API_PORT: String(port),
  };
  const api = await startProcess('api', environment).catch(async (error) => {
    await database.drop();
    throw error;
  });
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      await api.stop();
      await database.drop();
      await forgetKeys(prefix);
    },
  };
}

async function makeTriggers(url) {
  const { routine } = await buildCompany(`${url}/api`);
  const made = Array.from({ length: TRIGGERS }, async () => {
    const { id } = await routine({ concurrencyPolicy: 'always_enqueue' });
    const webhook = { kind: 'webhook', signingMode: 'hmac_sha256' };
    return post(`${url}/api/routines/${id}/triggers`, webhook);
  });
  return Promise.all(made);
}

const others = (found, allowed) => found.filter(({ status }) => !allowed.includes(status));

async function runPhase(url, triggers, { forged }, ms) {
  const common = { url, triggers, ms };
  const [valid, refused] = await Promise.all([
    load({ ...common, isForged: false, perSecond: VALID_PER_SECOND, connections: 64 }),
    forged ? load({ ...common, isForged: true, ...forged }) : [],
  ]);
  const times = valid.map((one) => one.ms);
  const wrong = [...others(valid, [202]), ...others(refused, [401, 429])];
  return {
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    valid: valid.length,
    forgedPerSecond: refused.length / (ms / 1_000),
    wrong: wrong.map(({ status }) => status),
  };
}

const quietest = (rounds, key) => Math.min(...rounds.map((round) => round[key]));

export async function bench(serverUrl) {
  const service = await openApi(serverUrl);
  const results = PHASES.map(() => []);
  try {
    const triggers = await makeTriggers(service.url);
    await runPhase(service.url, triggers, PHASES[1], ROUND_MS / 2);
    for (let round = 0; round < ROUNDS; round++) {
      for (const [at, phase] of PHASES.entries()) {
        results[at].push(await runPhase(service.url, triggers, phase, ROUND_MS));
      }
    }
  } finally {
    await service.close();
  }
  const [alone] = results;
  let passed = true;
  for (const [at, rounds] of results.entries()) {
    const shown = ['p50', 'p99'].map((key) => {
      const [own, base] = [quietest(rounds, key), quietest(alone, key)];
      const isSlower = own / base > MAX_RATIO && own - base > NOISE_MS;
      if (isSlower && PHASES[at].name === '90 % forged') passed = false;
      return `${key} ${own.toFixed(1).padStart(6)} ms (× ${(own / base).toFixed(2)})`;
    });
    const wrong = rounds.flatMap((round) => round.wrong);
    if (wrong.length > 0) passed = false;
    const sum = rounds.reduce((total, round) => total + round.valid, 0);
    const forged = Math.round(rounds.reduce((s, round) => s + round.forgedPerSecond, 0) / ROUNDS);
    console.log(
      `${PHASES[at].name.padEnd(12)} ${shown.join('  ')}  ${sum} valid, ${forged} forged/s, wrong answers: ${wrong.join(' ') || 'none'}`,
    );
  }
  return passed;
}

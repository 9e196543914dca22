import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { freePort, post } from '../shared/build-company.mjs';
import { percentile } from '../shared/measure.mjs';
import { environmentOf, forgetKeys, startProcess } from '../shared/processes.mjs';
import { scratchDatabase } from '../shared/scratch.mjs';

const LOAD_MS = 20_000;
const CONNECTIONS = 64;
const EVERY_MS = 50;
const MAX_P99_MS = 100;

async function probe(url, until) {
  const times = [];
  const refused = [];
  const asked = [];
  while (Date.now() < until) {
    const started = performance.now();
    asked.push(
      fetch(url, { headers: { connection: 'close' } }).then(async (answer) => {
        await answer.arrayBuffer();
        times.push(performance.now() - started);
        if (!answer.ok) refused.push(answer.status);
      }),
    );
    await delay(EVERY_MS);
  }
  await Promise.all(asked);
  return { times, refused: refused.length };
}

async function workload(api, url) {
  const company = await post(`${api}/companies`, { name: 'Bench' });
  const at = `/api/companies/${company.id}`;
  const agent = await post(`${url}${at}/agents`, {
    name: 'Agent',
    adapterType: 'process',
    adapterConfig: { command: 'true' },
  });
  const issue = await post(`${url}${at}/issues`, { title: 'Issue' });
  const cost = { agentId: agent.id, provider: 'p', model: 'm', inputTokens: 1, outputTokens: 1 };
  return {
    paths: [`${at}/issues`, `${at}/activity`, `${at}/dashboard`, `/api/issues/${issue.id}`],
    bodies: [
      { path: `/api/issues/${issue.id}/comments`, body: { body: 'a word' } },
      { path: `${at}/issues`, body: { title: 'Another' } },
      { path: `${at}/cost-events`, body: { ...cost, costCents: 1 } },
      { path: `/api/agents/${agent.id}/heartbeat/invoke`, body: {} },
    ],
  };
}

export async function bench(serverUrl) {
  const prefix = `bench${process.pid}`;
  const database = await scratchDatabase(serverUrl, 'health');
  const [port, workerPort, pagePort] = [await freePort(), await freePort(), await freePort()];
  const environment = {
    ...environmentOf(database.url, prefix),
    API_PORT: String(port),
    WORKER_PORT: String(workerPort),
    API_PROMETHEUS_PORT: String(pagePort),
  };
  const url = `http://127.0.0.1:${port}`;
  const started = [];
  try {
    for (const name of ['api', 'worker']) started.push(await startProcess(name, environment));
    const questions = await workload(`${url}/api`, url);
    const workerData = { url, ...questions, connections: CONNECTIONS, ms: LOAD_MS };
    const load = new Worker(new URL('./health-load.mjs', import.meta.url), { workerData });
    const answered = once(load, 'message');
    await delay(2_000);
    const until = Date.now() + LOAD_MS - 4_000;
    const probes = {
      'api /livez': `${url}/livez`,
      'api /readyz': `${url}/readyz`,
      'worker /livez': `http://127.0.0.1:${workerPort}/livez`,
      'worker /readyz': `http://127.0.0.1:${workerPort}/readyz`,
    };
    const found = await Promise.all(
      Object.entries(probes).map(async ([name, probed]) => [name, await probe(probed, until)]),
    );
    const [statuses] = await answered;
    const answers = Object.values(statuses).reduce((sum, count) => sum + count, 0);
    console.log(`load: ${CONNECTIONS} connections, answers ${JSON.stringify(statuses)}`);
    const page = await (await fetch(`http://127.0.0.1:${pagePort}/metrics`)).text();
    const cpu = Number(/^process_cpu_seconds_total (\S+)/m.exec(page)?.[1]);
    const [perAnswer, cores] = [(cpu * 1000) / answers, (cpu * 1000) / LOAD_MS];
    console.log(
      `the API: ${perAnswer.toFixed(1)} ms of CPU per response, ${cores.toFixed(2)} cores`,
    );
    let passed = true;
    for (const [name, { times, refused }] of found) {
      const [p50, p99] = [0.5, 0.99].map((share) => percentile(times, share));
      passed &&= refused === 0 && p99 <= MAX_P99_MS;
      const line = `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, ${refused} refused`;
      console.log(`${name.padEnd(16)} ${times.length} asked, ${line}`);
    }
    return passed;
  } finally {
    for (const each of started.reverse()) await each.stop();
    await database.drop();
    await forgetKeys(prefix);
  }
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';
import { freePort, post } from './build-company.mjs';
import { spentMs, usedMs } from './cpu.mjs';
import { environmentOf, forgetKeys, startProcess } from './processes.mjs';
import { scratchDatabase } from './scratch.mjs';

const CONNECTIONS = 16;
const ROUNDS = 5;
const ROUND_MS = 2_000;

async function startBare(databaseUrl) {
  const bin = fileURLToPath(new URL('./bare-server.mjs', import.meta.url));
  const child = spawn(process.execPath, [bin], {
    env: { PATH: process.env.PATH, DATABASE_URL: databaseUrl },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  process.once('exit', () => child.kill('SIGKILL'));
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  return {
    url: `http://127.0.0.1:${line.split(' ').at(-1)}`,
    pid: child.pid,
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

async function startApi(databaseUrl, prefix, checkout) {
  const port = await freePort();
  const settings = { ...environmentOf(databaseUrl, prefix), ORCHESTRATION_PORT: String(port) };
  const api = await startProcess('api', settings, checkout);
  return { ...api, url: `http://127.0.0.1:${port}` };
}

const json = (body) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

/** What each row asks of the product, and of the bare server; the latter may be missing. */
async function buildRows(api) {
  const company = await post(`${api}/companies`, { name: 'Bench' });
  const at = `/companies/${company.id}`;
  const issues = `${api}${at}/issues`;
  const agent = await post(`${api}${at}/agents`, {
    name: 'Agent',
    adapterType: 'process',
    adapterConfig: { command: 'true' },
  });
  const { key } = await post(`${api}/agents/${agent.id}/keys`, { name: 'bench' });
  const goal = await post(`${api}${at}/goals`, { title: 'Goal' });
  const project = await post(`${api}${at}/projects`, { name: 'Project', goalIds: [goal.id] });
  let parentId;
  for (let depth = 0; depth < 3; depth++) {
    parentId = (await post(issues, { title: 'Parent', ...(parentId && { parentId }) })).id;
  }
  const linked = await post(issues, {
    title: 'Linked',
    description: 'text '.repeat(100),
    parentId,
    projectId: project.id,
    goalId: goal.id,
  });
  const plain = await post(issues, { title: 'Plain', description: 'text '.repeat(100) });
  for (let n = 0; n < 100; n++) await post(issues, { title: `Issue ${n}`, status: 'todo' });
  const bearer = { headers: { authorization: `Bearer ${key}` } };
  const patch = (turn) => ({ ...json({ title: `Title ${turn}` }), method: 'PATCH' });
  return [
    { title: 'GET issue', path: `/issues/${plain.id}`, bare: `/issue/${plain.id}` },
    { title: 'GET issue, all linked', path: `/issues/${linked.id}`, bare: `/issue/${linked.id}` },
    { title: 'GET agent', path: `/agents/${agent.id}`, bare: `/agent/${agent.id}` },
    { title: 'GET agents/me', path: '/agents/me', bare: `/agent/${agent.id}`, request: bearer },
    { title: 'list issues, 50', path: `${at}/issues?limit=50`, bare: `/issues/${company.id}` },
    { title: 'activity, 50', path: `${at}/activity?limit=50`, bare: `/activity/${company.id}` },
    { title: 'dashboard', path: `${at}/dashboard` },
    {
      title: 'POST issue',
      path: `${at}/issues`,
      bare: `/createIssue/${company.id}`,
      request: json({ title: 'Made', status: 'todo' }),
    },
    {
      title: 'POST comment',
      path: `/issues/${plain.id}/comments`,
      bare: `/comment/${plain.id}`,
      request: json({ body: 'a word or two' }),
    },
    { title: 'PATCH issue', path: `/issues/${plain.id}`, request: patch },
  ];
}

/** One closed loop of 16 connections. @throws Error when anything but a success was answered */
async function runLoad(target, url, request, round, pool) {
  const before = await usedMs(target.pid, pool);
  const found = await autocannon({
    url,
    connections: CONNECTIONS,
    duration: ROUND_MS / 1_000,
    ...(typeof request === 'function' ? request(round) : request),
  });
  const spent = spentMs(before, await usedMs(target.pid, pool));
  if (found.non2xx + found.errors > 0) throw new Error(`${url}: ${found.non2xx} refused`);
  const answered = found['2xx'];
  return {
    perSecond: answered / found.duration,
    p50: found.latency.p50,
    p99: found.latency.p99,
    app: spent.app / answered,
    database: spent.database / answered,
  };
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const medianOf = (rounds, key) => median(rounds.map((round) => round[key]));

/** The product, the bare server and, if named, an older checkout in turn, so that what slows the machine slows all. */
async function measureRow(row, targets, pool) {
  const rounds = new Map(targets.map((target) => [target, []]));
  for (let round = -1; round < ROUNDS; round++) {
    for (const target of targets) {
      const path = target.isBare ? row.bare : row.path && `/api${row.path}`;
      if (!path) continue;
      const found = await runLoad(target, `${target.url}${path}`, row.request, round, pool);
      if (round >= 0) rounds.get(target).push(found);
    }
  }
  return targets.map((target) => rounds.get(target));
}

function line(title, [own, bare, before]) {
  const ms = (rounds, key) => medianOf(rounds, key).toFixed(2);
  const ratio = (other) =>
    other?.length ? (medianOf(own, 'perSecond') / medianOf(other, 'perSecond')).toFixed(2) : '–';
  const cells = [
    title,
    medianOf(own, 'perSecond').toFixed(0),
    `${medianOf(own, 'p50').toFixed(0)} / ${medianOf(own, 'p99').toFixed(0)}`,
    `${ms(own, 'app')} + ${ms(own, 'database')}`,
    bare.length ? medianOf(bare, 'perSecond').toFixed(0) : '–',
    ratio(bare),
    ratio(before),
  ];
  return `| ${cells.join(' | ')} |`;
}

const HEAD = `| request | per second | p50 / p99 ms | CPU ms: API + PostgreSQL | bare per second | ÷ bare | ÷ before |
| --- | --- | --- | --- | --- | --- | --- |`;

/**
 * Prints a Markdown table: each request against a bare Express server with one prepared statement, on the same database in
 * the same rounds. `npm run bench -- http <folder>` names another, built checkout to compare with; a third word narrows
 * the rows by their title.
 */
export async function benchHttp(serverUrl) {
  const [, , , folder, only = ''] = process.argv;
  const prefix = `bench${process.pid}`;
  const database = await scratchDatabase(serverUrl, 'http', () => undefined);
  const targets = [];
  const pool = database.open();
  try {
    targets.push(await startApi(database.url, prefix));
    targets.push({ ...(await startBare(database.url)), isBare: true });
    if (folder && folder !== '-') targets.push(await startApi(database.url, prefix, folder));
    const rows = await buildRows(`${targets[0].url}/api`);
    console.log(HEAD);
    for (const row of rows.filter(({ title }) => title.startsWith(only))) {
      await pool.query('VACUUM ANALYZE');
      console.log(line(row.title, await measureRow(row, targets, pool)));
    }
  } finally {
    for (const target of targets) await target.stop();
    await pool.end();
    await database.drop();
    await forgetKeys(prefix);
  }
  return true;
}

import { setTimeout as delay } from 'node:timers/promises';
import { post } from '../shared/build-company.mjs';

const LOOK_MS = 4;
const LOOK_AT_MANY_MS = 20;

export async function makeAgents(target, count, adapterConfig = { command: 'true' }) {
  const company = await post(`${target.api}/companies`, { name: 'Bench' });
  const agents = [];
  for (let n = 0; n < count; n++) {
    const adapter = { adapterType: 'process', adapterConfig };
    const fields = { name: `Agent ${n}`, ...adapter };
    agents.push((await post(`${target.api}/companies/${company.id}/agents`, fields)).id);
  }
  return agents;
}

export async function playAlone(target, agentId, count) {
  const runs = [];
  for (let n = 0; n < count; n++) {
    const invoked = performance.timeOrigin + performance.now();
    const { id } = await invoke(target, agentId);
    const answered = performance.timeOrigin + performance.now();
    let run;
    while (!run) {
      await delay(LOOK_MS);
      [run] = await findFinished(target.pool, [id]);
    }
    runs.push({
      id,
      invoked,
      answer: answered - invoked,
      start: run.started - run.created,
      whole: run.finished - invoked,
    });
  }
  return runs;
}

export async function playTogether(target, agents, inFlight, ms) {
  const until = performance.now() + ms;
  const waits = new Map();
  const lane = async (agentId) => {
    for (let ended = 0; ; ended++) {
      if (performance.now() >= until) return ended;
      const { id } = await invoke(target, agentId);
      await new Promise((resolve) => waits.set(id, resolve));
    }
  };
  let isOver = false;
  const lanes = Promise.all(agents.slice(0, inFlight).map(lane)).finally(() => {
    isOver = true;
  });
  while (!isOver) {
    await delay(LOOK_AT_MANY_MS);
    for (const { id } of await findFinished(target.pool, [...waits.keys()])) {
      waits.get(id)();
      waits.delete(id);
    }
  }
  return (await lanes).reduce((sum, ended) => sum + ended, 0);
}

const invoke = (target, agentId) => post(`${target.api}/agents/${agentId}/heartbeat/invoke`, {});

async function findFinished(pool, ids) {
  if (ids.length === 0) return [];
  const { rows } = await pool.query({
    name: 'finished',
    text: `SELECT id, status, error, ${epoch('created_at')} AS created, ${epoch('started_at')} AS started,
        ${epoch('finished_at')} AS finished
      FROM heartbeat_run WHERE id = ANY($1) AND finished_at IS NOT NULL`,
    values: [ids],
  });
  for (const { status, error } of rows) {
    if (status !== 'succeeded') throw new Error(`a run ${status}: ${error}`);
  }
  return rows;
}

const epoch = (column) => `(extract(epoch FROM ${column}) * 1000)::float8`;

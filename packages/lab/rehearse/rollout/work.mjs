import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const AGENT = path.join(import.meta.dirname, 'agent.mjs');

export async function hire(client, company, called, seconds) {
  const agents = [];
  for (const [at, each] of seconds.entries()) {
    const adapterConfig = { command: 'node', args: [AGENT, `${each}`], timeoutSec: each + 600 };
    const agent = {
      name: `${called} ${at}`,
      role: 'engineer',
      adapterType: 'process',
      adapterConfig,
    };
    agents.push(await client.ask('POST', `/companies/${company.id}/agents`, agent));
  }
  return agents;
}

export async function beginLongRuns(client, company, agents) {
  const runs = [];
  for (const agent of agents) {
    const issue = await client.ask('POST', `/companies/${company.id}/issues`, {
      title: 'Take your time',
      status: 'todo',
    });
    const wake = { issueId: issue.id };
    runs.push((await client.ask('POST', `/agents/${agent.id}/heartbeat/invoke`, wake)).id);
  }
  for (const id of runs) {
    while ((await client.ask('GET', `/heartbeat-runs/${id}`)).status !== 'running')
      await sleep(300);
  }
  return runs;
}

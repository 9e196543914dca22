import { strict as assert } from 'node:assert';
import { call, until } from './project.mjs';

export async function makeAgent(name) {
  const company = await call('POST', '/api/companies', { name });
  const secret = await call('POST', `/api/companies/${company.id}/secrets`, {
    name: 'TOKEN',
    value: 'canary',
  });
  const agent = await call('POST', `/api/companies/${company.id}/agents`, {
    name: 'Ada',
    role: 'engineer',
    adapterType: 'process',
    adapterConfig: {
      command: 'node',
      args: ['-e', "if (process.env.SEEN !== 'canary') process.exit(3)"],
      env: { SEEN: { type: 'secret_ref', secretId: secret.id, version: 'latest' } },
    },
  });
  return { companyId: company.id, agentId: agent.id };
}

export async function startRun({ companyId, agentId }) {
  const issue = { title: 'Say hello', status: 'todo' };
  const { id: issueId } = await call('POST', `/api/companies/${companyId}/issues`, issue);
  const { id } = await call('POST', `/api/agents/${agentId}/heartbeat/invoke`, { issueId });
  const run = await until('the run', async () => {
    const found = await call('GET', `/api/heartbeat-runs/${id}`);
    return found.finishedAt && found;
  });
  assert.equal(run.status, 'succeeded', JSON.stringify(run));
}

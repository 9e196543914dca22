import { createServer } from 'node:net';

export async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

export async function post(url, body) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`POST ${url}: ${response.status} ${text}`);
  return JSON.parse(text);
}

export async function buildCompany(api) {
  const company = await post(`${api}/companies`, { name: 'Bench' });
  const at = `${api}/companies/${company.id}`;
  const agent = await post(`${at}/agents`, {
    name: 'Agent',
    role: 'engineer',
    adapterType: 'process',
    adapterConfig: { command: 'true' },
  });
  const project = await post(`${at}/projects`, { name: 'Project' });
  return {
    routine: (fields) =>
      post(`${at}/routines`, {
        title: 'Routine',
        assigneeAgentId: agent.id,
        projectId: project.id,
        ...fields,
      }),
  };
}

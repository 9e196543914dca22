import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { useHarness } from './harness';
import { ROOT } from './packed';

const run = promisify(execFile);

const STORY = `
import json, sys
from switchyard import Client, Refused
client = Client(sys.argv[1])
company = client.create_company(body={"name": "Acme"})["id"]
for title in ("One", "Two", "Three"):
    client.create_issue(company, body={"title": title, "status": "todo"})
titles = sorted(issue["title"] for issue in client.all(client.list_issues, company, limit=1))
issue = client.list_issues(company, status=["todo", "blocked"], limit=1)[0]
client.complete_issue(issue["identifier"], body={"comment": "Done."})
ended = client.wait_for_issue(issue["id"])
agent = client.create_agent(company, body={"name": "Ada", "adapterType": "external"})
waiting = client.invoke_heartbeat(agent["id"], body={})
client.cancel_heartbeat_run(waiting["id"])
run = client.wait_for_run(waiting["id"])
try:
    client.get_company("00000000-0000-7000-8000-000000000000")
except Refused as error:
    refused = [error.status, error.code]
print(json.dumps([titles, ended["status"], run["status"], refused]))
`;

describe('the Python client', () => {
  const harness = useHarness();
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-python-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const python = async (text: string, args: string[], env: Record<string, string> = {}) => {
    const file = join(folder, 'story.py');
    writeFileSync(file, text);
    const given = {
      PATH: process.env.PATH,
      PYTHONPATH: join(ROOT, 'packages/client/python'),
      PYTHONDONTWRITEBYTECODE: '1',
      ...env,
    };
    return (await run('python3', [file, ...args], { env: given })).stdout;
  };

  it('lists all pages, writes, waits and reports refusals with only the standard library', async () => {
    expect(JSON.parse(await python(STORY, [harness.url]))).toEqual([
      ['One', 'Three', 'Two'],
      'done',
      'cancelled',
      [404, 'not_found'],
    ]);
  });

  it('continues to wait after a connection has ended without a response', async () => {
    const statuses = ['in_progress', null, 'done'];
    const server = createServer((_request, response) => {
      const status = statuses.shift();
      if (!status) return void response.destroy();
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ status }));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const wait =
      'import sys; from switchyard import Client; print(Client(sys.argv[1]).wait_for_issue("A-1")["status"])';
    try {
      expect(await python(wait, [`http://127.0.0.1:${port}`])).toBe('done\n');
    } finally {
      server.close();
    }
  });

  it('uses the address and the token of the run inside a run, and sends the token to no other address', async () => {
    const { agent, authorization } = await harness.build.liveRun();
    const given = {
      SERVICE_API_URL: harness.url,
      SERVICE_API_KEY: authorization.replace('Bearer ', ''),
    };
    const own = 'from switchyard import Client; print(Client().get_own_agent()["id"])';
    expect(await python(own, [], given)).toBe(`${agent.id}\n`);
    const other = 'from switchyard import Client; print(Client("http://127.0.0.1:1").token)';
    expect(await python(other, [], given)).toBe('None\n');
  });
});

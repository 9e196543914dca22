import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { useHarness } from './harness';
import { ROOT } from './packed';

const run = promisify(execFile);
const CLIENT = join(ROOT, 'packages/client');

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

const BUILD = `
import base64, hashlib, sys, zipfile
from email.parser import Parser
import wheel_backend
name = wheel_backend.build_wheel(sys.argv[1])
path = sys.argv[1] + "/" + name
wheel = zipfile.ZipFile(path)
info = name[:-len("-py3-none-any.whl")] + ".dist-info/"
listed = {}
for line in wheel.read(info + "RECORD").decode().splitlines():
    file, digest, size = line.split(",")
    listed[file] = digest
    if file.endswith("RECORD"):
        continue
    data = wheel.read(file)
    found = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    assert ("sha256=" + found, str(len(data))) == (digest, size), file
assert sorted(listed) == sorted(wheel.namelist())
sys.path.insert(0, path)
from importlib.metadata import distribution
built = distribution("switchyard")
for name, text in built.metadata.items():
    print(name + ": " + text)
print(sorted(listed))
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
      PYTHONPATH: join(CLIENT, 'python'),
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

  it('builds as a wheel that works without other files, and has the version of the package', async () => {
    const printed = await python(BUILD, [folder]);
    const { version } = JSON.parse(readFileSync(join(CLIENT, 'package.json'), 'utf8'));
    const project = readFileSync(join(CLIENT, 'python/pyproject.toml'), 'utf8');
    const field = (name: string) => new RegExp(`^${name} = "(.*)"$`, 'm').exec(project)?.[1];
    expect(printed.split('\n')).toEqual([
      'Metadata-Version: 2.1',
      `Name: ${field('name')}`,
      `Version: ${version}`,
      `Summary: ${field('description')}`,
      `Requires-Python: ${field('requires-python')}`,
      expect.stringContaining("'switchyard/__init__.py', 'switchyard/generated/__init__.py'"),
      '',
    ]);
    const wheel = join(folder, `switchyard-${version}-py3-none-any.whl`);
    const story = await python(STORY, [harness.url], { PYTHONPATH: wheel });
    expect(JSON.parse(story)[1]).toBe('done');
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

  it('inside a run, uses that run’s address and token, and sends the token to no other address', async () => {
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

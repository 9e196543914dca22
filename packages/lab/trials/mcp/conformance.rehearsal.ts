import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Harness, startHarness } from '@switchyard/orchestration/test/harness';

const RELEASE = '@modelcontextprotocol/conformance@0.1.16';
const NODE = process.env.CONFORMANCE_NODE ?? process.execPath;

const SCENARIOS = ['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection'];

const run = promisify(execFile);

describe('the MCP endpoint', () => {
  let harness: Harness;
  let suite: string;
  beforeAll(async () => {
    const folder = join(homedir(), '.cache/switchyard/conformance');
    await mkdir(folder, { recursive: true });
    await run('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', RELEASE]);
    suite = join(folder, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
    harness = await startHarness();
  });
  afterAll(() => harness?.close());

  it.each(SCENARIOS)('passes the scenario %s of the conformance suite', async (scenario) => {
    const args = [suite, 'server', '--url', `${harness.url}/mcp`, '--scenario', scenario];
    const { stdout } = await run(NODE, args);
    expect(stdout).toMatch(/Passed: (\d+)\/\1, 0 failed/);
  });
});

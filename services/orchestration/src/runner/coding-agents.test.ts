import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const BUILT = join(__dirname, '../../dist/runner/coding-agents');
/** How two runs fail of a runner that has too many open files at the first. */
const SCRIPT = `
  const { openSync, closeSync } = require('node:fs');
  const { openCodingAgents } = require(${JSON.stringify(BUILT)});
  const tool = { command: 'a-tool', args: [] };
  const [agent] = openCodingAgents({
    settings: { claudeCode: tool, codex: tool, openCode: tool, prices: {} },
    children: { inherited: { PATH: '' } },
    allowedVariables: 'any',
  });
  // Of what is not there it fails either way, but later.
  const run = () => agent.run({}).catch(({ code }) => (code === 'EMFILE' ? 'EMFILE' : 'loaded'));
  const files = [];
  try {
    for (;;) files.push(openSync('/dev/null'));
  } catch {}
  run().then(async (first) => {
    for (const file of files) closeSync(file);
    console.log(first, await run());
  });`;

it('are loaded by a later run where the first one could not', () => {
  const limited = ['-c', 'ulimit -n 64; exec "$0" -e "$1"', process.execPath, SCRIPT];
  const { stdout } = spawnSync('sh', limited, { encoding: 'utf8' });
  expect(stdout).toBe('EMFILE loaded\n');
});

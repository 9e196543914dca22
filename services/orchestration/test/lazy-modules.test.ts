import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const DIST = join(__dirname, '../dist');

/** The paths of what a process has loaded after some files of ours. */
function loadedBy(...files: string[]): string[] {
  const script = `${files.map((file) => `require(${JSON.stringify(join(DIST, file))});`).join('\n')}
    console.log(JSON.stringify(Object.keys(require.cache)));
    process.exit(0);`;
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' });
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}

describe('API and worker', () => {
  it('load undici only to ask an agent by HTTP', () => {
    const loaded = loadedBy('context.js', 'app.js', 'pipeline.js');
    expect(loaded.length).toBeGreaterThan(500);
    expect(loaded.filter((name) => /[/]undici@/.test(name))).toEqual([]);
  });
});

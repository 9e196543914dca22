import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inc } from 'semver';

const ROOT = path.resolve(__dirname, '../../..');
const git = (cwd: string, ...args: string[]) =>
  execFileSync('git', args, { cwd, encoding: 'utf8' }).trim();

function cloneBuilt(folder: string): void {
  git(ROOT, 'clone', '--quiet', ROOT, folder);
  const built = git(ROOT, 'ls-files', '-oi', '--exclude-standard', '--directory').split('\n');
  for (const name of built.filter((each) => !/^(node_modules|tmp|\.\w+)\//.test(each))) {
    cpSync(path.join(ROOT, name), path.join(folder, name), {
      recursive: true,
      verbatimSymlinks: true,
    });
  }
  const modules = path.join(folder, 'node_modules');
  mkdirSync(modules);
  for (const name of readdirSync(path.join(ROOT, 'node_modules'))) {
    const from = path.join(ROOT, 'node_modules', name);
    const to = path.join(modules, name);
    if (name === '.pnpm') symlinkSync(from, to);
    else cpSync(from, to, { recursive: true, verbatimSymlinks: true });
  }
}

describe('npm run release in a clone', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'switchyard-clone-'));
  const read = (file: string) => readFileSync(path.join(folder, file), 'utf8');

  beforeAll(() => {
    rmSync(folder, { recursive: true });
    cloneBuilt(folder);
    git(folder, 'config', 'user.name', 'Ada');
    git(folder, 'config', 'user.email', 'ada@example.com');
    const changelog = read('CHANGELOG.md').replace('## Unreleased\n', '## Unreleased\n\n- This.\n');
    writeFileSync(path.join(folder, 'CHANGELOG.md'), changelog);
    git(folder, 'commit', '--quiet', '--all', '--message', 'Change');
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('passes its tests with the next version, commits and tags, and pushes nothing', () => {
    const next = inc(JSON.parse(read('package.json')).version, 'minor') as string;
    const args = ['packages/bootstrap/run.mjs', 'release', next, '--tested'];
    const env = { ...process.env, NODE_OPTIONS: '' };
    const { stdout, stderr, status } = spawnSync(process.execPath, args, {
      cwd: folder,
      env,
      encoding: 'utf8',
      maxBuffer: 64 * 2 ** 20,
    });
    expect(status === 0 ? '' : `${stdout}${stderr}`.slice(-6_000)).toBe('');
    expect(git(folder, 'describe')).toBe(`v${next}`);
    expect(git(folder, 'status', '--porcelain')).toBe('');
    expect(read('CHANGELOG.md')).toContain(`\n## ${next} – `);
    expect(git(folder, 'ls-remote', 'origin', `refs/tags/v${next}`)).toBe('');
  });
});

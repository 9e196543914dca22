import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inNode } from './in-node';

const ROOT = path.resolve(__dirname, '../../..');
const COPIED = [
  'package.json',
  'packages/server/package.json',
  'packages/client/README.md',
  'k8s/components',
  'k8s/overlays',
  'docs/containers.md',
  'services/orchestration/Dockerfile',
  'docker-compose.yml',
  'CHANGELOG.md',
];

const TESTS = `
  import { readFileSync } from 'node:fs';
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  const isThere = readFileSync('services/orchestration/Dockerfile', 'utf8').includes('ARG VERSION=' + version);
  process.exitCode = isThere && !process.env.RED ? 0 : 1;
`;

const now = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')).version as string;

describe('release', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'switchyard-release-'));
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim();
  const read = (file: string) => readFileSync(path.join(folder, file), 'utf8');
  const release = (...words: string[]) =>
    inNode(
      { 'launcher/dist/commands/release.js': 'release' },
      `const life = { onEnd() {}, stop: new AbortController().signal };
       try { return await release(life, ${JSON.stringify(folder)}, ${JSON.stringify(words)}); }
       catch (error) { return error.message; }`,
    );

  beforeAll(() => {
    for (const each of COPIED) {
      cpSync(path.join(ROOT, each), path.join(folder, each), { recursive: true });
    }
    const changelog = read('CHANGELOG.md').replace('## Unreleased\n', '## Unreleased\n\n- This.\n');
    writeFileSync(path.join(folder, 'CHANGELOG.md'), changelog);
    mkdirSync(path.join(folder, 'packages/bootstrap'));
    writeFileSync(path.join(folder, 'packages/bootstrap/run.mjs'), TESTS);
    git('init', '--quiet');
    git('config', 'user.name', 'Ada');
    git('config', 'user.email', 'ada@example.com');
    git('add', '--all');
    git('commit', '--quiet', '--message', 'Begin');
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  it('refuses an invalid or lower version, and a changed working tree', () => {
    for (const words of [[], ['1.2'], ['v9.9.9'], ['9.9.9', 'more'], ['9.9.9', '--force']]) {
      expect(release(...words)).toMatch(/^The version must have the form/);
    }
    expect(release('0.0.1', '--tested')).toBe(`0.0.1 is lower than ${now}, the current version.`);
    writeFileSync(path.join(folder, 'new'), '');
    expect(release('9.9.9', '--tested')).toBe('There are uncommitted changes.');
    rmSync(path.join(folder, 'new'));
    expect(git('status', '--porcelain')).toBe('');
  });

  it.each([
    ['0.10.0', '0.9.9'],
    ['0.9.10', '0.9.9'],
    ['1.0.0-rc.10', '1.0.0-rc.2'],
    ['1.0.0', '1.0.0-rc.10'],
  ])('at version %s, refuses the lower version %s', (later, earlier) => {
    writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ version: later }));
    git('commit', '--quiet', '--all', '--message', 'Version');
    expect(release(earlier, '--tested')).toBe(
      `${earlier} is lower than ${later}, the current version.`,
    );
    git('reset', '--quiet', '--hard', 'HEAD~1');
  });

  it('changes nothing if the tests fail with the new version', () => {
    process.env.RED = '1';
    expect(release('9.9.9', '--tested')).toBe('The tests failed; nothing was changed.');
    delete process.env.RED;
    expect(git('status', '--porcelain')).toBe('');
    expect(git('tag')).toBe('');
  });

  it('writes the version into every file, dates the changelog, commits and tags', () => {
    expect(release('9.9.9', '--tested')).toBe(0);
    expect(git('status', '--porcelain')).toBe('');
    expect(git('log', '-1', '--format=%s')).toBe('Release 9.9.9');
    expect(git('describe')).toBe('v9.9.9');
    for (const file of ['package.json', 'packages/server/package.json']) {
      expect(JSON.parse(read(file)).version).toBe('9.9.9');
    }
    expect(read('k8s/components/release/kustomization.yaml')).toMatch(/newTag: &release 9\.9\.9/);
    expect(read('services/orchestration/Dockerfile')).toContain('ARG VERSION=9.9.9\n');
    expect(read('docker-compose.yml')).toMatch(/metrics:\$\{SWITCHYARD_VERSION:-9\.9\.9\}/);
    expect(read('k8s/overlays/run-pods/kustomization.yaml')).toContain('newTag: 9.9.9\n');
    expect(read('docs/containers.md')).toContain('switchyard-orchestration:9.9.9');
    expect(read('packages/client/README.md')).toContain('switchyard-client-9.9.9.tgz');
    expect(read('CHANGELOG.md')).toMatch(
      /\n## Unreleased\n\n## 9\.9\.9 – \d{4}-\d\d-\d\d\n\n- This\.\n/,
    );
  });

  it('refuses an existing tag, and a release without changes in the changelog', () => {
    expect(release('9.9.9', '--tested')).toBe('The tag v9.9.9 already exists.');
    expect(release('9.9.10', '--tested')).toBe('CHANGELOG.md has no entry under "## Unreleased".');
  });
});

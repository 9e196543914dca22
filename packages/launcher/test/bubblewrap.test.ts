import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inNode } from './in-node';

let root: string;
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'bubblewrap-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const provide = (env: Record<string, string>, platform = 'linux') =>
  inNode(
    { 'launcher/dist/programs/bubblewrap.js': 'provideBubblewrap' },
    `const { signal } = new AbortController();
     const [root, env, platform] = ${JSON.stringify([root, env, platform])};
     return provideBubblewrap(root, env, signal, platform);`,
  );

function standIn(folder: string, exitCode = 0): string {
  const file = path.join(root, folder, 'bwrap');
  mkdirSync(path.dirname(file), { recursive: true });
  const script = `#!/bin/sh\necho "bubblewrap 0.11.0"\nexit ${exitCode}\n`;
  writeFileSync(file, script, { mode: 0o755 });
  return file;
}

test('provideBubblewrap changes no variable if bubblewrap is on PATH', () => {
  expect(provide({ PATH: path.dirname(standIn('bin')) })).toEqual({});
});

test.each([
  ['landlock', 'linux'],
  ['off', 'linux'],
  ['auto', 'darwin'],
])('provideBubblewrap changes no variable for SANDBOX=%s on %s', (SANDBOX, platform) => {
  expect(provide({ PATH: '/nowhere', SANDBOX }, platform)).toEqual({});
});

test('provideBubblewrap puts a downloaded bubblewrap first on PATH, with its own libraries', () => {
  const home = path.join(root, '.cache/bubblewrap');
  const command = standIn('.cache/bubblewrap/root/usr/bin');
  writeFileSync(command, '#!/bin/sh\necho "bubblewrap 0.11.0" "$LD_LIBRARY_PATH" "$@"\n');
  const libraries = path.join(home, 'root/usr/lib');
  mkdirSync(libraries);
  writeFileSync(path.join(libraries, 'libcap.so.2'), '');
  const broken = path.dirname(standIn('bin', 1));
  expect(provide({ PATH: broken })).toEqual({ PATH: `${home}:${broken}` });
  const said = execFileSync(path.join(home, 'bwrap'), ['a b', '--c'], { encoding: 'utf8' });
  expect(said).toBe(`bubblewrap 0.11.0 ${libraries} --unsetenv LD_LIBRARY_PATH a b --c\n`);
});

test('provideBubblewrap creates a link if the downloaded bubblewrap needs no libraries of its own, and replaces an old wrapper script', () => {
  const home = path.join(root, '.cache/bubblewrap');
  const command = standIn('.cache/bubblewrap/root/usr/bin');
  const before = readFileSync(command);
  standIn('.cache/bubblewrap');
  for (const _ of ['first start', 'second start']) {
    expect(provide({ PATH: '/nowhere' })).toEqual({ PATH: `${home}:/nowhere` });
    expect(readlinkSync(path.join(home, 'bwrap'))).toBe('root/usr/bin/bwrap');
  }
  expect(readFileSync(command)).toEqual(before);
});

test('provideBubblewrap repeats a failed search only after a day', () => {
  mkdirSync(path.join(root, '.cache'));
  const missing = path.join(root, '.cache/bubblewrap.missing');
  writeFileSync(missing, '');
  standIn('.cache/bubblewrap/root/usr/bin');
  expect(provide({ PATH: '/nowhere' })).toEqual({});
  const before = new Date(Date.now() - 100_000_000);
  utimesSync(missing, before, before);
  expect(provide({ PATH: '/nowhere' })).toMatchObject({
    PATH: expect.stringMatching(/:\/nowhere$/),
  });
});

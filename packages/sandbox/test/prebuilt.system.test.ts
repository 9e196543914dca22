import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { newFolder, removeFolders } from './spawned';

const ROOT = join(__dirname, '..');
const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex');
const read = (path: string) => readFileSync(join(ROOT, path));

const facts = new Map(
  read('prebuilt/BUILD')
    .toString()
    .trim()
    .split('\n')
    .map((line) => [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)]),
);

afterAll(removeFolders);

describe('the prebuilt entry program of the sandbox', () => {
  it('matches the hash of the current sources', () => {
    const script = read('entry/build.sh').toString();
    const names = /^sources='(.*)'$/m.exec(script)?.[1]?.split(' ') ?? [];
    const all = ['build.sh', 'entry.h', ...names].map((name) => read(`entry/${name}`));
    expect(sha256(Buffer.concat(all))).toBe(facts.get('sources'));
  });

  it.each(['linux-x64', 'linux-arm64'])(
    'has the recorded hash and the right architecture for %s',
    (name) => {
      const file = read(`prebuilt/${name}/switchyard-sandbox-entry`);
      expect(sha256(file)).toBe(facts.get(name));
      expect(file.subarray(0, 5).toString('latin1')).toBe('\x7fELF\x02');
      expect(file.readUInt16LE(18)).toBe(name === 'linux-x64' ? 62 : 183);
    },
  );

  const compiler = versionOf('gcc');
  const canBuild = compiler === facts.get('compiler') && versionOf('musl-gcc') !== null;
  if (!canBuild) return;
  it('has the same bytes as a new build', () => {
    const out = newFolder();
    execFileSync(join(ROOT, 'entry/build.sh'), {
      env: { PATH: process.env.PATH, OUT: out },
      stdio: 'pipe',
    });
    const built = readFileSync(join(out, 'linux-x64/switchyard-sandbox-entry'));
    expect(sha256(built)).toBe(facts.get('linux-x64'));
  });
});

function versionOf(command: string): string | null {
  try {
    return (
      execFileSync(command, ['--version'], { stdio: 'pipe' }).toString().split('\n')[0] ?? null
    );
  } catch {
    return null;
  }
}

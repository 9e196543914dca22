import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inNode } from './in-node';

const PACKAGE = 'what the registry hands out';
const HASH = createHash('sha512').update(PACKAGE).digest('hex');

const roots: string[] = [];
afterAll(() => {
  for (const root of roots) rmSync(root, { recursive: true });
});

function project(packageManager: string): { root: string; file: string } {
  const root = mkdtempSync(path.join(tmpdir(), 'package-manager-'));
  roots.push(root);
  writeFileSync(path.join(root, 'package.json'), JSON.stringify({ packageManager }));
  mkdirSync(path.join(root, 'bin'));
  const npm = `#!/bin/sh\necho "$2" >> "${root}/asked"\nprintf '%s' '${PACKAGE}' > "$5/pnpm-1.2.3.tgz"\n`;
  writeFileSync(path.join(root, 'bin', 'npm'), npm, { mode: 0o755 });
  return { root, file: path.join(root, '.cache', 'pnpm-1.2.3.tgz') };
}

const argumentsOf = (root: string) =>
  inNode(
    { 'bootstrap/lib/pnpm.mjs': 'packageManagerArguments' },
    `const env = { ...process.env, PATH: ${JSON.stringify(`${root}/bin:`)} + process.env.PATH };
     const ask = () => packageManagerArguments(${JSON.stringify(root)}, { env })
       .catch(({ name, message }) => ({ name, message }));
     return Promise.all([ask(), ask()]);`,
  );

it('packageManagerArguments uses a downloaded pnpm whose hash matches package.json, and downloads pnpm only once', () => {
  const { root, file } = project(`pnpm@1.2.3+sha512.${HASH}`);
  const expected = ['-y', `--package=${file}`, '--', 'pnpm'];
  expect(argumentsOf(root)).toEqual([expected, expected]);
  const asked = readFileSync(path.join(root, 'asked'), 'utf8');
  expect(argumentsOf(root)).toEqual([expected, expected]);
  expect(readFileSync(path.join(root, 'asked'), 'utf8')).toBe(asked);
  expect(readdirSync(path.join(root, '.cache'))).toEqual(['pnpm-1.2.3.tgz']);
});

it('packageManagerArguments rejects a downloaded pnpm whose hash does not match package.json, and deletes the file', () => {
  const { root, file } = project(`pnpm@1.2.3+sha512.${'0'.repeat(128)}`);
  const refused = {
    name: 'UserError',
    message: 'pnpm@1.2.3 does not match the hash in package.json.',
  };
  expect(argumentsOf(root)).toEqual([refused, refused]);
  expect(existsSync(file)).toBe(false);
});

it('the package.json of this project contains the hash of pnpm', () => {
  const text = readFileSync(path.resolve(__dirname, '../../../package.json'), 'utf8');
  expect(JSON.parse(text).packageManager).toMatch(/^pnpm@\d+\.\d+\.\d+\+sha512\.[0-9a-f]{128}$/);
});

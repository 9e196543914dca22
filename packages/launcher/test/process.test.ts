import { mkdtempSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { inNode } from './in-node';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'launcher-'));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('isSame distinguishes a process from a later process with the same pid', () => {
  const answer = inNode(
    { 'bootstrap/lib/identity.mjs': 'identity, isSame, parseStat' },
    `const own = { pid: process.pid, started: identity(process.pid) };
     return [isSame(own), isSame({ ...own, started: 'before' }), isSame({ pid: process.pid }),
       parseStat('7 (a) b) S 3 ' + Array.from({ length: 30 }, (_, i) => i + 5).join(' '))];`,
  );
  expect(answer).toEqual([
    true,
    false,
    false,
    { state: 'S', parent: 3, threads: 20, started: '22' },
  ]);
});

test('takeLock succeeds for only one caller at a time, and replaces the lock of a dead process', () => {
  const answer = inNode(
    { 'bootstrap/lib/lock.mjs': 'takeLock, writeJson, readJson' },
    `const file = ${JSON.stringify(path.join(folder, 'lock.json'))};
     writeJson(file, { pid: 1, started: 'never' });
     const first = await takeLock(file);
     const second = await takeLock(file);
     first.release();
     const third = await takeLock(file);
     return [first.taken, second.taken, second.holder.pid === process.pid, third.taken];`,
  );
  expect(answer).toEqual([true, false, true, true]);
});

test('newBackoff waits 1 to 30 seconds between restarts, and resets after 90 seconds', () => {
  const waits = inNode(
    { 'launcher/dist/process/keep-up.js': 'newBackoff' },
    `const backoff = newBackoff();
     return [0, 0, 0, 0, 0, 0, 0, 90_000].map((ran) => backoff.next(ran) / 1000);`,
  );
  expect(waits).toEqual([1, 2, 4, 8, 16, 30, 30, 1]);
});

test('localSecrets creates each secret once, and in authenticated mode creates only the runner token', () => {
  const dataDir = JSON.stringify(folder);
  const answer = inNode(
    { 'launcher/dist/secrets.js': 'localSecrets' },
    `const local = { authMode: 'local_trusted', dataDir: ${dataDir} };
     const none = localSecrets({ ...local, authMode: 'authenticated', env: {} });
     const first = localSecrets({ ...local, env: {} });
     const second = localSecrets({ ...local, env: { SESSION_SECRET: 'mine', RUN_TOKEN_SECRET: '' } });
     const key = Buffer.from(first.SECRETS_MASTER_KEY, 'base64').length;
     return { none: Object.keys(none), key, same: first.RUN_TOKEN_SECRET === second.RUN_TOKEN_SECRET, names: Object.keys(second) };`,
  );
  expect(answer).toEqual({
    none: ['RUNNER_TOKEN'],
    key: 32,
    same: true,
    names: ['RUN_TOKEN_SECRET', 'SECRETS_MASTER_KEY', 'RUNNER_TOKEN'],
  });
  expect(statSync(path.join(folder, 'secrets.json')).mode & 0o777).toBe(0o600);
});

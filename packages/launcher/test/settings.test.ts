import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inNode } from './in-node';

const folder = mkdtempSync(path.join(tmpdir(), 'dotenv-'));
afterAll(() => rmSync(folder, { recursive: true }));

function read(text: string | Buffer, before: Record<string, string> = {}): unknown {
  writeFileSync(path.join(folder, '.env'), text);
  const body = `
    for (const name of Object.keys(process.env)) delete process.env[name];
    for (const [name, value] of ${JSON.stringify(Object.entries(before))}) process.env[name] = value;
    try { loadEnvFile(${JSON.stringify(folder)}); } catch (error) { return error.message; }
    return { ...process.env };`;
  return inNode({ 'launcher/dist/settings.js': 'loadEnvFile' }, body);
}

test('a byte order mark before the first setting in .env is ignored', () => {
  expect(read('\ufeffAUTH_MODE=authenticated\r\nHOST=::1\r\n')).toEqual({
    AUTH_MODE: 'authenticated',
    HOST: '::1',
  });
});

test('a variable of the environment overrides .env, even if it is empty', () => {
  expect(read('HOST=::1\nLOG_LEVEL=debug\n', { HOST: '127.0.0.1', LOG_LEVEL: '' })).toEqual({
    HOST: '127.0.0.1',
    LOG_LEVEL: '',
  });
});

test.each([
  ['in UTF-16', Buffer.from('\ufeffAUTH_MODE=authenticated\n', 'utf16le'), /UTF-16.*UTF-8/],
  ['in Latin-1', Buffer.from('SESSION_SECRET=caf\xe9\n', 'latin1'), /not UTF-8/],
  ['malformed in one line', 'HOST=::1\nAUTH_MODE: authenticated\n', /line 2 is neither/],
])('npm start fails if .env is %s', (_, text, reason) => {
  expect(read(text)).toMatch(reason);
});

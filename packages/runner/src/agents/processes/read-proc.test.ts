import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readProc } from './read-proc';

describe('readProc()', () => {
  const folder = mkdtempSync(join(tmpdir(), 'read-proc-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each([0, 1, 65_535, 65_536, 65_537, 200_000])('reads all %i bytes of a file', (size) => {
    const path = join(folder, 'file');
    const text = Array.from({ length: size }, (_, at) => String(at % 10)).join('');
    writeFileSync(path, text);
    expect(readProc(path, 'latin1')).toBe(text);
  });

  it('decodes a character that spans two reads', () => {
    const path = join(folder, 'letters');
    const text = `${'a'.repeat(65_535)}ü${'b'.repeat(10)}`;
    writeFileSync(path, text);
    expect(readProc(path, 'utf8')).toBe(text);
  });

  it('throws the error of the operating system', () => {
    expect(() => readProc(join(folder, 'none'), 'utf8')).toThrow(/ENOENT/);
  });

  it('reads a file of /proc like readFileSync', () => {
    if (process.platform !== 'linux') return;
    expect(readProc('/proc/self/cmdline', 'utf8')).toBe(readFileSync('/proc/self/cmdline', 'utf8'));
  });
});

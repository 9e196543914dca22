import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readProc } from './read-proc';

describe('reading a file whose size is not told', () => {
  const folder = mkdtempSync(join(tmpdir(), 'read-proc-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each([0, 1, 65_535, 65_536, 65_537, 200_000])('gives all of %i bytes', (size) => {
    const path = join(folder, 'file');
    const text = Array.from({ length: size }, (_, at) => String(at % 10)).join('');
    writeFileSync(path, text);
    expect(readProc(path, 'latin1')).toBe(text);
  });

  it('keeps a letter whole that two goes share', () => {
    const path = join(folder, 'letters');
    const text = `${'a'.repeat(65_535)}ü${'b'.repeat(10)}`;
    writeFileSync(path, text);
    expect(readProc(path, 'utf8')).toBe(text);
  });

  it('throws what the system says', () => {
    expect(() => readProc(join(folder, 'none'), 'utf8')).toThrow(/ENOENT/);
  });

  it('reads what the kernel writes', () => {
    if (process.platform !== 'linux') return;
    expect(readProc('/proc/self/cmdline', 'utf8')).toBe(readFileSync('/proc/self/cmdline', 'utf8'));
  });
});

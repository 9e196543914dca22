import fc from 'fast-check';
import { cleanFilename } from './clean-filename';

describe('a cleaned file name', () => {
  it.each([
    ['report.pdf', 'report.pdf'],
    ['../../etc/passwd', 'passwd'],
    ['C:\\Windows\\evil.exe', 'evil.exe'],
    ['a\0b\r\nSet-Cookie: x', 'abSet-Cookie: x'],
    ['a\u202Egnp.exe', 'agnp.exe'],
    ['Übersicht 界.txt', 'Übersicht 界.txt'],
    ['..', 'file'],
    ['.', 'file'],
    ['x/', 'file'],
    ['', 'file'],
    [' \0 ', 'file'],
    ['.env', '.env'],
    [`${'x'.repeat(254)}𝄞`, 'x'.repeat(254)],
  ])('of %j is %j', (given, kept) => {
    expect(cleanFilename(given)).toBe(kept);
  });

  it('can be stored, sent in a header and never names a folder, whatever was sent', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 600 }), (name) => {
        const clean = cleanFilename(name);
        expect(clean.length).toBeGreaterThan(0);
        expect(clean.length).toBeLessThanOrEqual(255);
        expect(clean.isWellFormed()).toBe(true);
        expect(clean).not.toMatch(/[\p{Cc}/\\]/u);
        expect(['.', '..']).not.toContain(clean);
      }),
    );
  });
});

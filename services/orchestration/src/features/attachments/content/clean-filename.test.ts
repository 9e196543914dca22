import fc from 'fast-check';
import { cleanFilename } from '../upload';

describe('cleanFilename', () => {
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
    [`${'x'.repeat(300)}.pdf`, `${'x'.repeat(251)}.pdf`],
    [`${'x'.repeat(300)}.tar.gz`, `${'x'.repeat(248)}.tar.gz`],
    [`${'x'.repeat(250)}𝄞.txt`, `${'x'.repeat(250)}.txt`],
    [`a.${'x'.repeat(300)}`, `a.${'x'.repeat(253)}`],
    ['می\u200Cخواهم.pdf', 'می\u200Cخواهم.pdf'],
    ['ක්\u200Dෂ.txt', 'ක්\u200Dෂ.txt'],
    ['അവൻ ന്\u200D.txt', 'അവൻ ന്\u200D.txt'],
    ['👨\u200D👩\u200D👧 ❤️\u200D🔥.png', '👨\u200D👩\u200D👧 ❤️\u200D🔥.png'],
    ['👩🏽\u200D💻 🏳️\u200D🌈.png', '👩🏽\u200D💻 🏳️\u200D🌈.png'],
    [
      '🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}.svg',
      '🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}.svg',
    ],
    ['in\u200Cvo\u200Dice\u200B.pdf', 'invoice.pdf'],
    ['\u200Dمی\u200D.pdf', 'می.pdf'],
    ['a\u{E0067}\u{E0062}b🏴\u{E0067}.txt', 'ab🏴.txt'],
  ])('turns %j into %j', (given, kept) => {
    expect(cleanFilename(given)).toBe(kept);
  });

  it('returns a name that can be stored and sent in a header, and is never a path', () => {
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

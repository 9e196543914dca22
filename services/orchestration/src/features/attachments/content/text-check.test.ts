import { createTextCheck } from './text-check';

function isText(...chunks: Buffer[]): boolean {
  const check = createTextCheck();
  for (const chunk of chunks) check.push(chunk);
  return check.end();
}

describe('isText', () => {
  it('accepts characters that are split across two chunks', () => {
    const bytes = Buffer.from('aü€𝄞z');
    for (let at = 0; at <= bytes.length; at++) {
      expect(isText(bytes.subarray(0, at), bytes.subarray(at))).toBe(true);
    }
  });

  it('checks every byte, including the last one', () => {
    const long = Buffer.alloc(200_000, 'a');
    expect(isText(long)).toBe(true);
    expect(isText(long, Buffer.from([0]))).toBe(false);
    expect(isText(long, Buffer.from([0xff]), long)).toBe(false);
    expect(isText(long, Buffer.from('€').subarray(0, 2))).toBe(false);
  });

  it('accepts tab, newline and form feed, but no other control byte', () => {
    expect(isText(Buffer.from('a\tb\r\nc\fd'))).toBe(true);
    for (const byte of [0, 7, 8, 11, 27, 31, 127]) expect(isText(Buffer.from([byte]))).toBe(false);
  });
});

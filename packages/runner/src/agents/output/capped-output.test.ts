import fc from 'fast-check';
import { createCappedOutput } from './capped-output';

function cap(limits: { maxBytes: number; usedBytes: number }, chunks: (string | Buffer)[]) {
  const live: Buffer[] = [];
  const output = createCappedOutput(limits, (bytes) => live.push(bytes));
  for (const chunk of chunks) output.write(Buffer.from(chunk as string));
  const before = Buffer.concat(live).toString();
  output.end();
  return { before, after: Buffer.concat(live).toString() };
}

describe('createCappedOutput', () => {
  it('writes output below the cap unchanged', () => {
    const { before, after } = cap({ maxBytes: 100, usedBytes: 0 }, [
      'a'.repeat(50),
      'b'.repeat(50),
    ]);
    expect(before).toBe('a'.repeat(50) + 'b'.repeat(25));
    expect(after).toBe('a'.repeat(50) + 'b'.repeat(50));
  });

  it('writes the beginning and the end of longer output, and the number of bytes omitted between them', () => {
    const chunks = ['a'.repeat(80), 'b'.repeat(1_000), `${'c'.repeat(20)}error`];
    expect(cap({ maxBytes: 100, usedBytes: 0 }, chunks).after).toBe(
      `${'a'.repeat(75)}\n[1005 bytes of output were left out here]\n${'c'.repeat(20)}error`,
    );
  });

  it('starts the retained end of the output with a whole character', () => {
    const { after } = cap({ maxBytes: 8, usedBytes: 0 }, ['a'.repeat(9), 'é'.repeat(9), '!']);
    expect(after).toBe(`${'a'.repeat(6)}\n[21 bytes of output were left out here]\n!`);
  });

  it('subtracts the bytes of an earlier attempt from the cap', () => {
    const more = (usedBytes: number) => cap({ maxBytes: 100, usedBytes }, ['x'.repeat(40)]).after;
    expect(more(50)).toBe('x'.repeat(40));
    expect(more(90)).toBe(`\n[30 bytes of output were left out here]\n${'x'.repeat(10)}`);
    expect(more(100)).toBe('\n[40 bytes of output were left out here]\n');
    expect(more(500)).toBe('\n[40 bytes of output were left out here]\n');
  });

  it('returns the same result for any split of the output into chunks', () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 200 }),
        fc.array(fc.nat(200)),
        fc.nat(60),
        (text, cuts, usedBytes) => {
          const bytes = Buffer.from(text);
          const at = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)), bytes.length];
          at.sort((one, other) => one - other);
          const chunks = at.slice(1).map((to, index) => bytes.subarray(at[index], to));
          const limits = { maxBytes: 50, usedBytes };
          expect(cap(limits, chunks).after).toBe(cap(limits, [bytes]).after);
        },
      ),
    );
  });
});

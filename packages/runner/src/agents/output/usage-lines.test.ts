import { LINEAR, timesLonger } from '@switchyard/testing';
import { reportUsageBody } from '@switchyard/types';
import fc from 'fast-check';
import type { UsageReport } from '../agent-adapter';
import { createLineSplitter, MAX_LINE_BYTES } from './split-lines';
import { createUsageReader, parseUsageLine } from './usage-lines';

const usage = { provider: 'p', model: 'm', inputTokens: 10, outputTokens: 0, costCents: 3 };
const lineOf = (value: object) => Buffer.from(JSON.stringify({ type: 'usage', ...value }));

const read = (value: object) => parseUsageLine(lineOf(value))?.usage ?? null;
const notesOf = (...lines: (object | string)[]) => {
  let log = '';
  const seen: UsageReport[] = [];
  const reader = createUsageReader({
    onUsage: (report) => seen.push(report),
    onOutput: (note) => {
      log += note.toString();
    },
  });
  for (const line of lines) {
    reader.write(Buffer.from(`${typeof line === 'string' ? line : lineOf(line)}\n`));
  }
  reader.end();
  return { log, seen };
};

test('parseUsageLine accepts a line with surrounding spaces and unknown fields', () => {
  expect(parseUsageLine(lineOf(usage))).toEqual({ usage, problem: null });
  expect(read({ ...usage, sessionId: 'x' })).toEqual(usage);
  expect(parseUsageLine(Buffer.from(` ${lineOf(usage)}\r`))?.usage).toEqual(usage);
});

test('createUsageReader reports usage with a null cost for a line without a price, and logs the line', () => {
  for (const costCents of [undefined, null]) {
    const { log, seen } = notesOf({ ...usage, costCents });
    expect(seen).toEqual([{ ...usage, costCents: null }]);
    expect(log).toBe('[usage] counted without a price: costCents is missing\n');
  }
  expect(notesOf({ ...usage, costCents: 0 })).toEqual({
    log: '',
    seen: [{ ...usage, costCents: 0 }],
  });
});

test.each([
  [1.49, 2],
  [0.0004, 1],
  [3, 3],
  [0.1 + 0.2 + 0.7, 1],
])('createUsageReader rounds %p cents up to %p', (costCents, whole) => {
  expect(notesOf({ ...usage, costCents })).toEqual({
    log: '',
    seen: [{ ...usage, costCents: whole }],
  });
});

test.each<[string, object, object, RegExp]>([
  ['a cost as text', { costCents: '3' }, {}, /costCents must be a number/],
  ['a negative cost', { costCents: -1 }, {}, /costCents must be/],
  ['an impossibly high cost', { costCents: 1e300 }, {}, /costCents must be/],
  ['a negative count', { inputTokens: -1 }, { inputTokens: 0 }, /inputTokens must be a whole/],
  ['an inexact number', { outputTokens: 2 ** 53 }, { outputTokens: 0 }, /outputTokens must be/],
  ['a missing model', { model: undefined }, { model: 'unknown' }, /model must be a name/],
  ['an empty name', { provider: '' }, { provider: 'unknown' }, /provider must be a name/],
  ['a long name', { provider: 'x'.repeat(201) }, { provider: 'unknown' }, /provider must be/],
  ['NUL', { model: 'a\0' }, { model: 'unknown' }, /model must be/],
  ['a lone surrogate', { model: '\ud800' }, { model: 'unknown' }, /model must be/],
])(
  'createUsageReader reports usage with a null cost for %s, and logs the reason',
  (_what, fields, expected, why) => {
    const { log, seen } = notesOf({ ...usage, ...fields });
    expect(seen).toEqual([{ ...usage, ...expected, costCents: null }]);
    expect(log).toMatch(why);
  },
);

test('createUsageReader reports usage with a null cost for a truncated usage line', () => {
  const { log, seen } = notesOf(lineOf(usage).toString().slice(0, 40));
  expect(seen).toMatchObject([{ provider: 'unknown', inputTokens: 0, costCents: null }]);
  expect(log).toContain('the line is not JSON');
});

test('createUsageReader logs ten lines without a price, and then one notice', () => {
  const { log, seen } = notesOf(...Array(40).fill({ ...usage, costCents: 'x' }));
  expect(seen).toHaveLength(40);
  expect(log.trim().split('\n')).toHaveLength(11);
  expect(log).toMatch(/further usage without a price is not logged\n$/);
});

test('parseUsageLine returns null for text that is not a usage line', () => {
  for (const text of [
    '',
    '"usage"',
    '["usage"]',
    '{"kind":"usage"',
    'null',
    '{"type":"text","a":"usage"}',
  ]) {
    expect(parseUsageLine(Buffer.from(text))).toBeNull();
  }
  expect(parseUsageLine(Buffer.from(`${'['.repeat(60_000)}"usage"`))).toBeNull();
});

test('parseUsageLine returns only numbers that the server accepts', () => {
  const number = fc.oneof(
    fc.double(),
    fc.maxSafeInteger(),
    fc.constantFrom(-1, -0, 0, 1e12 - 1, 1e12, 1e12 + 1, 1.5, Number.MAX_SAFE_INTEGER + 1),
  );
  const other = fc.constantFrom(null, '1', true, [1], {});
  const counts = fc.record({
    inputTokens: fc.oneof(number, other),
    outputTokens: fc.oneof(number, other),
    costCents: fc.oneof(number, other),
  });
  fc.assert(
    fc.property(counts, (said) => {
      const report = read({ ...usage, ...said });
      expect(reportUsageBody.safeParse({ seq: 1, usage: report }).success).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});

test('createUsageReader parses lines of up to 64 KiB, and ignores longer lines', () => {
  const sizeOf = (length: number) => Buffer.concat([lineOf(usage), Buffer.alloc(length, ' ')]);
  const seen: UsageReport[] = [];
  const reader = createUsageReader({
    onUsage: (report) => seen.push(report),
    onOutput: () => {},
  });
  const room = MAX_LINE_BYTES - lineOf(usage).length;
  reader.write(Buffer.concat([sizeOf(room), Buffer.from('\n')]));
  expect(seen).toHaveLength(1);
  reader.write(Buffer.concat([sizeOf(room + 1), Buffer.from('\n')]));
  expect(seen).toHaveLength(1);
  reader.write(lineOf(usage));
  reader.end();
  expect(seen).toHaveLength(2);
});

test('createLineSplitter returns the same lines for any split of the stream into chunks', () => {
  const text = fc.array(fc.constantFrom('a', 'é', '\n', '\r', '{}'), { maxLength: 60 });
  fc.assert(
    fc.property(text, fc.array(fc.nat(80)), (pieces, cuts) => {
      const input = Buffer.from(pieces.join(''));
      const lines: string[] = [];
      const splitter = createLineSplitter((line) => lines.push(line.toString()));
      let from = 0;
      for (const cut of [...cuts, input.length].sort((a, b) => a - b)) {
        splitter.write(input.subarray(from, cut));
        from = Math.max(from, Math.min(cut, input.length));
      }
      splitter.end();
      expect(lines).toEqual(
        input
          .toString()
          .split('\n')
          .filter((line) => line !== ''),
      );
    }),
  );
});

test('createLineSplitter reads a line of 4.7 GB in linear time, although no buffer can hold it', () => {
  const splitter = createLineSplitter(() => {
    throw new Error('no line is that long');
  });
  const chunk = Buffer.alloc(16 << 20, 'x');
  const write = (chunks: number) => {
    for (let round = 0; round < chunks; round++) splitter.write(chunk);
  };
  expect(timesLonger(write, 300)).toBeLessThan(LINEAR);
  splitter.end();
});

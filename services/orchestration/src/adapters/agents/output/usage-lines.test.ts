import { LINEAR, timesLonger } from '@switchyard/testing';
import { reportUsageBody } from '@switchyard/types';
import fc from 'fast-check';
import type { UsageReport } from '../agent-adapter';
import { createLineSplitter, MAX_LINE_BYTES } from './split-lines';
import { createUsageReader, parseUsageLine } from './usage-lines';

const usage = { provider: 'p', model: 'm', inputTokens: 10, outputTokens: 0, costCents: 3 };
const lineOf = (value: object) => Buffer.from(JSON.stringify({ type: 'usage', ...value }));

test('a report is read, with spaces around it and fields beside it', () => {
  expect(parseUsageLine(lineOf(usage))).toEqual(usage);
  expect(parseUsageLine(lineOf({ ...usage, sessionId: 'x' }))).toEqual(usage);
  expect(parseUsageLine(Buffer.from(` ${lineOf(usage)}\r`))).toEqual(usage);
});

test('a report without a price says so, and never that it was free', () => {
  for (const costCents of [undefined, null]) {
    expect(parseUsageLine(lineOf({ ...usage, costCents }))).toEqual({ ...usage, costCents: null });
  }
  expect(parseUsageLine(lineOf({ ...usage, costCents: 0 }))).toEqual({ ...usage, costCents: 0 });
});

test.each<[string, object]>([
  ['a number as text', { ...usage, costCents: '3' }],
  ['a negative number', { ...usage, inputTokens: -1 }],
  ['a fraction', { ...usage, costCents: 0.5 }],
  ['an inexact number', { ...usage, inputTokens: 2 ** 53 }],
  ['a missing field', { ...usage, model: undefined }],
  ['an empty name', { ...usage, provider: '' }],
  ['a long name', { ...usage, provider: 'x'.repeat(201) }],
  ['NUL', { ...usage, model: 'a\0' }],
  ['a lone surrogate', { ...usage, model: '\ud800' }],
  ['another type', { ...usage, type: 'text' }],
])('%s is not a report', (_what, value) => {
  expect(parseUsageLine(lineOf(value))).toBeNull();
});

test('other text is not a report', () => {
  for (const text of [
    '',
    '"usage"',
    '["usage"]',
    '{"type":"usage"',
    'null',
    `${'['.repeat(60_000)}"usage"`,
  ]) {
    expect(parseUsageLine(Buffer.from(text))).toBeNull();
  }
});

test('numbers are read as far as the server takes them', () => {
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
      const line = lineOf({ ...usage, ...said });
      const { type: _, ...sent } = JSON.parse(line.toString());
      const isTaken = reportUsageBody.safeParse({ seq: 1, usage: sent }).success;
      expect(parseUsageLine(line)).toEqual(isTaken ? sent : null);
    }),
    { numRuns: 2_000 },
  );
});

test('a line is parsed up to 64 KiB and ignored beyond', () => {
  const sizeOf = (length: number) => Buffer.concat([lineOf(usage), Buffer.alloc(length, ' ')]);
  const seen: UsageReport[] = [];
  const reader = createUsageReader((report) => seen.push(report));
  const room = MAX_LINE_BYTES - lineOf(usage).length;
  reader.write(Buffer.concat([sizeOf(room), Buffer.from('\n')]));
  expect(seen).toHaveLength(1);
  reader.write(Buffer.concat([sizeOf(room + 1), Buffer.from('\n')]));
  expect(seen).toHaveLength(1);
  reader.write(lineOf(usage));
  reader.end();
  expect(seen).toHaveLength(2);
});

test('lines are the same however the stream is cut', () => {
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

test('a line of 4.7 GB, more than a buffer can hold, is read in linear time', () => {
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

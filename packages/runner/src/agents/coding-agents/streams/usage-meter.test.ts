import fc from 'fast-check';
import { modelPrices } from '../../../models/model-settings';
import { BUILT_IN_PRICES, dollarsOf, findPrice } from '../../../models/prices';
import type { UsageReport } from '../../agent-adapter';
import { pricer } from '../pricer';
import type { ModelUse } from '../tool-event';
import { NO_TOKENS, tokensSince } from './token-counts';
import { createUsageMeter } from './usage-meter';

const use = (model: string, dollars: number | null, input = 10): ModelUse => ({
  model,
  dollars,
  counts: { ...NO_TOKENS, input },
});

function meterInto(reports: UsageReport[]) {
  return createUsageMeter({
    provider: () => 'acme',
    dollars: ({ dollars }) => dollars,
    report: (report) => reports.push(report),
  });
}
const sum = (reports: UsageReport[], key: 'costCents' | 'inputTokens') =>
  reports.reduce((total, report) => total + (report[key] ?? 0), 0);

describe('createUsageMeter()', () => {
  it('rounds up the total of the run, but not each part', () => {
    const reports: UsageReport[] = [];
    const meter = meterInto(reports);
    for (let i = 0; i < 10; i++) meter.add(use('a', 0.0011));
    meter.add(use('b', 0.0005));
    meter.end();
    expect(reports.map(({ model, costCents }) => [model, costCents])).toEqual([
      ['a', 2],
      ['b', 0],
    ]);
    meter.end();
    expect(reports).toHaveLength(2);
  });

  it('reports usage in parts during a long run, with a sum that equals the tool’s total', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 4_000 }), { maxLength: 30 }),
        fc.integer({ min: 0, max: 500 }),
        (parts, more) => {
          const reports: UsageReport[] = [];
          const meter = meterInto(reports);
          for (const part of parts) meter.add(use('a', part / 10_000, 1));
          const early = sum(reports, 'costCents');
          const dollars = (parts.reduce((all, part) => all + part, 0) + more) / 10_000;
          expect(Math.floor(dollars * 100 + 1e-7) - early).toBeLessThan(10 + more / 100 + 1);
          meter.total([use('a', dollars, parts.length + more)]);
          meter.end();
          expect(sum(reports, 'costCents')).toBe(Math.max(0, Math.ceil(dollars * 100 - 1e-7)));
          expect(sum(reports, 'inputTokens')).toBe(parts.length + more);
        },
      ),
    );
  });

  it('does not count usage twice if the total and its parts name different models', () => {
    const reports: UsageReport[] = [];
    const meter = meterInto(reports);
    meter.add(use('part', 0.5));
    meter.total([use('whole', 0.6, 20)]);
    meter.end();
    expect(sum(reports, 'costCents')).toBe(60);
    expect(sum(reports, 'inputTokens')).toBe(20);
  });

  it('reports a null cost for an unknown price, and reports nothing without usage', () => {
    const reports: UsageReport[] = [];
    const meter = meterInto(reports);
    meter.add(use('a', null));
    meter.add(use('b', 0, 0));
    meter.end();
    expect(reports).toMatchObject([{ model: 'a', inputTokens: 10, costCents: null }]);
  });
});

describe('price calculation', () => {
  const counts = { input: 1_000_000, output: 100_000, cacheRead: 2_000_000, cacheWrite: 400_000 };
  const million = { ...NO_TOKENS, input: 1_000_000 };

  it('charges each kind of token separately', () => {
    expect(dollarsOf(BUILT_IN_PRICES['claude-sonnet-4-5']!, counts)).toBeCloseTo(6.6, 9);
  });

  it.each([
    'claude-opus-4-8',
    'claude-opus-4-8[1m]',
    'anthropic/claude-opus-4-8',
    'claude-opus-4-8-20260528',
  ])('finds the price of %s', (model) => {
    expect(findPrice(BUILT_IN_PRICES, model)).toBe(BUILT_IN_PRICES['claude-opus-4-8']);
  });

  it.each(['gpt-99', 'constructor', '__proto__', ''])('finds no price of %s', (model) => {
    expect(findPrice(BUILT_IN_PRICES, model)).toBeNull();
  });

  it('prefers the operator’s price to the tool’s cost, and the tool’s cost to the list price', () => {
    const prices = modelPrices.parse('{"gpt-5.5":{"input":1,"output":2}}');
    const own = pricer({ prices });
    expect(own({ model: 'gpt-5.5', counts: million, dollars: 9 })).toBe(1);
    expect(own({ model: 'gpt-5.2', counts: million, dollars: 9 })).toBe(9);
    expect(own({ model: 'gpt-5.2', counts: million, dollars: null })).toBe(1.75);
    expect(own({ model: 'gpt-99', counts: million, dollars: null })).toBeNull();
  });

  it.each(['[]', 'x', '{"a":1}', '{"a":{"input":-1,"output":1}}', '{"a":{"input":1}}'])(
    'modelPrices rejects %s',
    (text) => {
      expect(modelPrices.safeParse(text).success).toBe(false);
    },
  );
});

test('tokensSince() counts from zero if a conversation’s count decreased', () => {
  const later = { ...NO_TOKENS, input: 5, output: 5 };
  expect(tokensSince(later, { ...NO_TOKENS, input: 3 })).toEqual({ ...later, input: 2 });
  expect(tokensSince(later, { ...NO_TOKENS, input: 6 })).toEqual(later);
});

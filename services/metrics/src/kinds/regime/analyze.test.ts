import { HOUR, type PathTruth, syntheticCandles } from '../../../test/synthetic-paths';
import { analyze } from './analyze';
import type { RegimeLabel } from './classify';
import { type Confirmation, confirm, confirmAnalysis } from './confirm';
import { swingPerDay } from './indicators';

const BARS = 300;
const NOW = BARS * HOUR;
const PATHS = 200;

function shares(truth: PathTruth): Record<RegimeLabel, number> {
  const counts: Record<string, number> = {};
  for (let path = 0; path < PATHS; path++) {
    const { label } = analyze(syntheticCandles(path + 1, BARS, truth), '1h', NOW);
    counts[label] = (counts[label] ?? 0) + 100 / PATHS;
  }
  const none = { trending_up: 0, trending_down: 0, ranging: 0, volatile: 0, indeterminate: 0 };
  return { ...none, unknown: 0, ...counts };
}

describe('the four-vote rule on 200 synthetic paths', () => {
  it.each([
    [0.3, 95],
    [0.15, 85],
  ])('given a pull of %d to the mean, labels most paths as ranging', (theta, least) => {
    const found = shares({ theta });
    expect(found.ranging).toBeGreaterThanOrEqual(least);
    expect(found.trending_up + found.trending_down).toBeLessThanOrEqual(2);
  });

  it.each([
    [0.5, 'trending_up', 'trending_down'],
    [-0.5, 'trending_down', 'trending_up'],
  ] as const)(
    'given a drift of %d standard deviations per bar, labels most paths as %s',
    (drift, right, wrong) => {
      const found = shares({ drift });
      expect(found[right]).toBeGreaterThanOrEqual(88);
      expect(found[wrong]).toBe(0);
    },
  );

  it.each([
    [3, 70],
    [2, 62],
  ])(
    'labels most paths as volatile if their volatility increases by a factor of %d',
    (factor, least) => {
      const found = shares({ burst: { bars: 24, factor } });
      expect(found.volatile).toBeGreaterThanOrEqual(least);
    },
  );

  it('labels at most a quarter of random walks as a trend', () => {
    const found = shares({});
    expect(found.trending_up + found.trending_down).toBeLessThanOrEqual(25);
  });
});

describe('analyze', () => {
  const candles = syntheticCandles(1, BARS, {});
  const flat = candles.map((one) => ({ ...one, open: '5', high: '5', low: '5', close: '5' }));

  it('returns unknown when more than a tenth of the history is missing', () => {
    const without = (from: number, count: number) =>
      candles.filter((_, index) => index < from || index >= from + count);
    const found = analyze(without(100, 31), '1h', NOW);
    expect(found).toMatchObject({ label: 'unknown', reasons: ['history_has_holes'] });
    const judged = analyze(without(100, 30), '1h', NOW);
    expect(judged.label).not.toBe('unknown');
    expect(judged.reasons).toContain('history_has_holes');
  });

  it('returns unknown for too few candles', () => {
    const found = analyze(candles.slice(0, 99), '1h', 99 * HOUR);
    expect(found).toMatchObject({ label: 'unknown', reasons: ['insufficient_data'] });
  });

  it('returns unknown for outdated candles', () => {
    expect(analyze(candles, '1h', NOW + 2 * HOUR).label).not.toBe('unknown');
    const found = analyze(candles, '1h', NOW + 2 * HOUR + 1);
    expect(found).toMatchObject({ label: 'unknown', reasons: ['stale'] });
  });

  it('returns unknown for a price that never moved', () => {
    expect(analyze(flat, '1h', NOW)).toMatchObject({ label: 'unknown', reasons: ['flat'] });
  });

  it('returns a label for a price that starts flat', () => {
    const late = [...flat.slice(0, 100), ...candles.slice(100)];
    const found = analyze(late, '1h', NOW);
    expect(found.label).not.toBe('unknown');
    expect(Object.values(found.indicators ?? {}).every(Number.isFinite)).toBe(true);
  });

  it('accepts a price that stopped moving', () => {
    const stopped = [...candles.slice(0, 286), ...flat.slice(286)];
    expect(() => analyze(stopped, '1h', NOW)).not.toThrow();
  });
});

describe('confirm', () => {
  const walk = (labels: [RegimeLabel, number][]) =>
    labels.reduce<Confirmation | null>(
      (before, [label, candle]) => confirm(before, label, new Date(candle * HOUR)),
      null,
    );

  it('confirms a label after three different candles, but not after three reads of one candle', () => {
    expect(
      walk([
        ['ranging', 1],
        ['ranging', 1],
        ['ranging', 1],
      ])?.confirmedLabel,
    ).toBeNull();
    expect(
      walk([
        ['ranging', 1],
        ['ranging', 2],
        ['ranging', 3],
      ])?.confirmedLabel,
    ).toBe('ranging');
  });

  it('keeps the label until three consecutive candles have another label', () => {
    const ranging: [RegimeLabel, number][] = [
      ['ranging', 1],
      ['ranging', 2],
      ['ranging', 3],
    ];
    const up = (candle: number): [RegimeLabel, number] => ['trending_up', candle];
    expect(walk([...ranging, up(4), up(5)])?.confirmedLabel).toBe('ranging');
    expect(walk([...ranging, up(4), up(5), ['volatile', 6], up(7)])?.confirmedLabel).toBe(
      'ranging',
    );
    expect(walk([...ranging, up(4), up(5), up(6)])?.confirmedLabel).toBe('trending_up');
    expect(walk([...ranging, up(2), up(1)])?.candidateLabel).toBe('ranging');
  });

  it.each([
    ['a slowly reverting range', { theta: 0.1 }],
    ['a random walk', {}],
  ])(
    'changes labels in %s less often than the raw analysis, but at least twice as often as confirmAnalysis',
    (_, shape) => {
      const changes = { raw: 0, plain: 0, steady: 0 };
      for (let seed = 1; seed <= 2; seed++) {
        const candles = syntheticCandles(seed, 1200, shape);
        let label: RegimeLabel | null = null;
        let plain: Confirmation | null = null;
        let steady: Confirmation | null = null;
        for (let end = 300; end < candles.length; end += 1) {
          const analysis = analyze(candles.slice(end - 300, end), '1h', end * HOUR);
          if (label && analysis.label !== label) changes.raw++;
          label = analysis.label;
          const next = confirm(plain, label, new Date(end * HOUR));
          if (plain?.confirmedLabel && next.confirmedLabel !== plain.confirmedLabel) {
            changes.plain++;
          }
          plain = next;
          const after = confirmAnalysis(steady, analysis);
          if (steady?.confirmedLabel && after?.confirmedLabel !== steady.confirmedLabel) {
            changes.steady++;
          }
          steady = after;
        }
      }
      expect(changes.plain).toBeLessThan(changes.raw * 0.75);
      expect(changes.steady).toBeLessThanOrEqual(changes.plain / 2);
    },
  );
});

describe('swingPerDay', () => {
  const closes = (wave: (hour: number) => number) =>
    Array.from({ length: 241 }, (_, hour) => 100 * wave(hour));

  it('returns the logarithmic change in percent between the daily low and the daily high', () => {
    const cycle = closes((hour) => 1 + 0.03 * Math.sin((2 * Math.PI * hour) / 24));
    expect(swingPerDay(cycle, HOUR)).toBeCloseTo(100 * Math.log(1.03 / 0.97), 6);
  });

  it('returns 0 for a price that only rises', () => {
    expect(
      swingPerDay(
        closes((hour) => 1.001 ** hour),
        HOUR,
      ),
    ).toBeCloseTo(0, 9);
  });
});

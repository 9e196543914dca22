import { CARD_HEIGHT, CARD_WIDTH, layOut, treeOf } from './layout';

const of = (id: string, reportsTo: string | null = null) => ({ id, reportsTo });
const chartOf = (...agents: { id: string; reportsTo: string | null }[]) => layOut(treeOf(agents));
const cardOf = (chart: ReturnType<typeof chartOf>, id: string) => {
  const card = chart.cards.find(({ agent }) => agent.id === id);
  if (!card) throw new Error(`no card of ${id}`);
  return card;
};

describe('the org chart', () => {
  it('has one card per agent, even for an agent whose manager does not exist', () => {
    const chart = chartOf(of('a'), of('b', 'a'), of('c', 'gone'), of('d', 'c'));
    expect(chart.cards.map(({ agent }) => agent.id).sort()).toEqual(['a', 'b', 'c', 'd']);
    expect(cardOf(chart, 'c').y).toBe(0);
  });

  it('contains each agent of a cycle once', () => {
    expect(chartOf(of('a', 'b'), of('b', 'a')).cards).toHaveLength(2);
  });

  it('centres a manager above the manager’s reports', () => {
    const chart = chartOf(of('a'), of('b', 'a'), of('c', 'a'), of('d', 'b'), of('e', 'c'));
    const [a, b, c] = ['a', 'b', 'c'].map((id) => cardOf(chart, id).x);
    expect(a).toBe(((b ?? 0) + (c ?? 0)) / 2);
  });

  it('stacks the reports of a large team instead of placing them side by side', () => {
    const chart = chartOf(of('a'), ...Array.from({ length: 50 }, (_, n) => of(`r${n}`, 'a')));
    expect(chart.width).toBeLessThan(2 * CARD_WIDTH);
  });

  it('has no overlapping cards', () => {
    const agents = Array.from({ length: 60 }, (_, n) =>
      of(String(n), n === 0 ? null : String(Math.floor((n - 1) / 3))),
    );
    const { cards } = chartOf(...agents);
    const overlap = cards.filter((one) =>
      cards.some(
        (other) =>
          one !== other &&
          Math.abs(one.x - other.x) < CARD_WIDTH &&
          Math.abs(one.y - other.y) < CARD_HEIGHT,
      ),
    );
    expect(overlap).toEqual([]);
  });
});

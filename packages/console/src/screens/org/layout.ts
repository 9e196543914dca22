export interface Person {
  id: string;
  reportsTo: string | null;
}

export interface Branch<Of extends Person> {
  agent: Of;
  depth: number;
  reports: Branch<Of>[];
}

export interface Card<Of extends Person> extends Branch<Of> {
  x: number;
  y: number;
}

export interface Chart<Of extends Person> {
  cards: Card<Of>[];
  lines: { id: string; path: string }[];
  width: number;
  height: number;
}

export function treeOf<Of extends Person>(agents: readonly Of[]): Branch<Of>[] {
  const byId = new Map(agents.map((agent) => [agent.id, agent]));
  const reports = new Map<string | null, Of[]>();
  for (const agent of agents) {
    const manager = agent.reportsTo && byId.has(agent.reportsTo) ? agent.reportsTo : null;
    reports.set(manager, [...(reports.get(manager) ?? []), agent]);
  }
  const seen = new Set<string>();
  const branch = (agent: Of, depth: number): Branch<Of> => {
    seen.add(agent.id);
    const below = (reports.get(agent.id) ?? []).filter(({ id }) => !seen.has(id));
    return { agent, depth, reports: below.map((each) => branch(each, depth + 1)) };
  };
  const top = (reports.get(null) ?? []).map((agent) => branch(agent, 0));
  for (const agent of agents) if (!seen.has(agent.id)) top.push(branch(agent, 0));
  return top;
}

export function layOut<Of extends Person>(top: readonly Branch<Of>[]): Chart<Of> {
  const chart: Chart<Of> = { cards: [], lines: [], width: 0, height: 0 };
  let x = 0;
  for (const branch of top) x += place(chart, branch, x, 0) + GAP_X;
  chart.width = Math.max(0, x - GAP_X);
  chart.height = Math.max(0, ...chart.cards.map(({ y }) => y + CARD_HEIGHT));
  return chart;
}

function place<Of extends Person>(
  chart: Chart<Of>,
  branch: Branch<Of>,
  x: number,
  y: number,
): number {
  const { reports } = branch;
  const isTeam = reports.length > 1 && reports.every((each) => each.reports.length === 0);
  if (isTeam) return placeTeam(chart, branch, x, y);
  let width = 0;
  const middles: number[] = [];
  for (const each of reports) {
    const at = chart.cards.length;
    const taken = place(chart, each, x + width, y + CARD_HEIGHT + GAP_Y);
    middles.push((chart.cards[at]?.x ?? 0) + CARD_WIDTH / 2);
    width += taken + GAP_X;
  }
  width = Math.max(CARD_WIDTH, width - GAP_X);
  const first = middles[0] ?? x + CARD_WIDTH / 2;
  const own = (first + (middles.at(-1) ?? first)) / 2 - CARD_WIDTH / 2;
  const cards = chart.cards.splice(chart.cards.length - countOf(reports));
  chart.cards.push({ ...branch, x: own, y }, ...cards);
  reports.forEach((each, index) => {
    const from = own + CARD_WIDTH / 2;
    const to = middles[index] ?? from;
    const half = y + CARD_HEIGHT + GAP_Y / 2;
    const path = `M${from} ${y + CARD_HEIGHT}V${half}H${to}V${y + CARD_HEIGHT + GAP_Y}`;
    chart.lines.push({ id: each.agent.id, path });
  });
  return width;
}

function placeTeam<Of extends Person>(
  chart: Chart<Of>,
  branch: Branch<Of>,
  x: number,
  y: number,
): number {
  chart.cards.push({ ...branch, x, y });
  branch.reports.forEach((each, index) => {
    const top = y + (index + 1) * (CARD_HEIGHT + TEAM_GAP);
    chart.cards.push({ ...each, x: x + INDENT, y: top });
    const path = `M${x + INDENT / 2} ${y + CARD_HEIGHT}V${top + CARD_HEIGHT / 2}H${x + INDENT}`;
    chart.lines.push({ id: each.agent.id, path });
  });
  return CARD_WIDTH + INDENT;
}

const countOf = (branches: readonly Branch<Person>[]): number =>
  branches.reduce((sum, { reports }) => sum + 1 + countOf(reports), 0);

export const CARD_WIDTH = 208;
export const CARD_HEIGHT = 60;
const GAP_X = 24;
const GAP_Y = 44;
const TEAM_GAP = 12;
const INDENT = 24;

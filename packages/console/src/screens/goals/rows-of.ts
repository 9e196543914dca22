interface Node {
  id: string;
  parentId: string | null;
  title: string;
}

export function rowsOf<Goal extends Node>(goals: readonly Goal[]): (Goal & { depth: number })[] {
  const known = new Set(goals.map(({ id }) => id));
  const sorted = [...goals].sort((one, other) => one.title.localeCompare(other.title));
  const below = new Map<string | null, Goal[]>();
  for (const goal of sorted) {
    const parent = goal.parentId !== null && known.has(goal.parentId) ? goal.parentId : null;
    below.set(parent, [...(below.get(parent) ?? []), goal]);
  }
  const walk = (parent: string | null, depth: number): (Goal & { depth: number })[] =>
    (below.get(parent) ?? []).flatMap((goal) => [{ ...goal, depth }, ...walk(goal.id, depth + 1)]);
  return walk(null, 0);
}

import { foldText } from '../../state/names/fold-text';

export interface RosterAgent {
  id: string;
  name: string;
}

export interface HandleNode {
  next: Map<string, HandleNode>;
  agents: Set<RosterAgent>;
}

export function handlesOf(name: string): string[] {
  const folded = foldText(name).trim();
  const words = folded.split(/[ _-]+/).filter((word) => word !== '');
  const spellings =
    words.length > 1 ? [' ', '-', '_', ''].map((between) => words.join(between)) : [];
  return [...new Set([folded, ...spellings])];
}

function insert(root: HandleNode, handle: string, agent: RosterAgent): void {
  let node = root;
  for (const unit of handle.split('')) {
    const found = node.next.get(unit);
    const child = found ?? { next: new Map(), agents: new Set() };
    if (!found) node.next.set(unit, child);
    node = child;
  }
  node.agents.add(agent);
}

/**
 * Builds a tree of handles, so that finding the longest handle takes time proportional to its
 * length. Contains only handles whose first character occurs in the texts.
 */
export function handleTree(agents: readonly RosterAgent[], texts: readonly string[]): HandleNode {
  const written = firstUnits(texts);
  const root: HandleNode = { next: new Map(), agents: new Set() };
  for (const agent of agents) {
    const handles = handlesOf(agent.name);
    if (!handles.some((handle) => written.has(handle.charAt(0)))) continue;
    for (const handle of handles) insert(root, handle, agent);
  }
  return root;
}

export function firstLetters(texts: readonly string[]): string[] {
  const written = [...firstUnits(texts)];
  // Includes the NFD form, because a stored name may separate a letter from its accent.
  return [...new Set(written.flatMap((unit) => [unit, unit.normalize('NFD').charAt(0)]))];
}

function firstUnits(texts: readonly string[]): Set<string> {
  const units = new Set<string>();
  for (const text of texts)
    for (const [, unit] of text.matchAll(/@([^ ])/g)) units.add(unit as string);
  return units;
}

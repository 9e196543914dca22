export type Piece =
  | { kind: 'text'; text: string }
  | { kind: 'agent'; text: string; agentId: string }
  | { kind: 'board'; text: string }
  | { kind: 'issue'; text: string; identifier: string }
  | { kind: 'address'; text: string };

export type References = (text: string) => Piece[];

interface Named {
  id: string;
  name: string;
}

export function referencesOf(issuePrefix: string, agents: readonly Named[]): References {
  const known = MADE.get(agents)?.[issuePrefix];
  if (known) return known;
  const made = referencesIn(issuePrefix, agents);
  MADE.set(agents, { ...MADE.get(agents), [issuePrefix]: made });
  return made;
}

const MADE = new WeakMap<readonly Named[], Readonly<Record<string, References>>>();

export function referencesIn(issuePrefix: string, agents: readonly Named[]): References {
  const idOf = new Map<string, string | null>();
  for (const { id, name } of agents) {
    for (const handle of handlesOf(name)) {
      const other = idOf.get(handle);
      idOf.set(handle, other === undefined || other === id ? id : null);
    }
  }
  const handles = [...idOf.keys()].sort((one, other) => other.length - one.length);
  const mention = `(?<![\\p{L}\\p{M}\\p{N}\\p{Pc}@/=])@(?:${['board', ...handles].map(escaped).join('|')})(?![\\p{L}\\p{M}\\p{N}\\p{Pc}@]|[-./][\\p{L}\\p{N}])`;
  const issue = `(?<![\\p{L}\\p{N}_/-])${escaped(issuePrefix)}-[1-9]\\d{0,8}(?![\\p{L}\\p{N}_])`;
  const pattern = new RegExp(`${ADDRESS}|${mention}|${issue}`, 'giu');
  return (text) => {
    const pieces: Piece[] = [];
    let end = 0;
    for (const { 0: found, index } of text.matchAll(pattern)) {
      if (index > end) pieces.push({ kind: 'text', text: text.slice(end, index) });
      pieces.push(pieceOf(found, idOf));
      end = index + found.length;
    }
    if (end < text.length) pieces.push({ kind: 'text', text: text.slice(end) });
    return pieces;
  };
}

const ADDRESS = '(?<![\\p{L}\\p{N}])https?://[^\\s<>"]{1,2000}(?<![.,;:!?)\\]}\'*_])';

function pieceOf(text: string, idOf: ReadonlyMap<string, string | null>): Piece {
  if (/^https?:/i.test(text)) return { kind: 'address', text };
  if (!text.startsWith('@')) return { kind: 'issue', text, identifier: text.toUpperCase() };
  const handle = text.slice(1).toLocaleLowerCase();
  if (handle === 'board') return { kind: 'board', text };
  const agentId = idOf.get(handle);
  return agentId ? { kind: 'agent', text, agentId } : { kind: 'text', text };
}

export function handlesOf(name: string): string[] {
  const folded = name.trim().toLocaleLowerCase();
  const words = folded.split(/[ _-]+/).filter((word) => word !== '');
  if (words.length < 2) return [folded];
  return [...new Set([folded, ...[' ', '-', '_', ''].map((between) => words.join(between))])];
}

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

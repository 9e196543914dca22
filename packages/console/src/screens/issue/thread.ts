import type { Schemas } from '../../data/api';
import { usePages } from '../../data/read';

export type ThreadEntry = Schemas['ThreadEntry'];
export type EntryOf<Kind extends ThreadEntry['kind']> = Extract<ThreadEntry, { kind: Kind }>;
export type ThreadRun = EntryOf<'run'>['run'];
export type Change = EntryOf<'change'>;

export type ThreadItem =
  | Exclude<ThreadEntry, Change>
  | { kind: 'changes'; id: string; changes: Change[] };

export function useThread(issueId: string) {
  const pages = usePages('/api/issues/{issueId}/thread', {
    path: { issueId },
    query: { limit: 50 },
  });
  return {
    data: pages.items && inOrder(pages.items),
    error: pages.error,
    refetch: pages.refetch,
    hasOlder: pages.hasNextPage,
    isReadingOlder: pages.isFetchingNextPage,
    readOlder: () => void pages.fetchNextPage(),
  };
}

export function inOrder(newestFirst: readonly ThreadEntry[]): ThreadEntry[] {
  const known = new Set<string>();
  const once = newestFirst.filter(({ id }) => !known.has(id) && known.add(id));
  return once.reverse().sort((one, other) => timeOf(one) - timeOf(other));
}

function timeOf(entry: ThreadEntry): number {
  if (entry.kind !== 'run') return Date.parse(entry.at);
  return isLive(entry.run) ? Number.MAX_VALUE : Date.parse(entry.run.finishedAt ?? entry.at);
}

export function folded(entries: readonly ThreadEntry[]): ThreadItem[] {
  const items: ThreadItem[] = [];
  for (const entry of entries) {
    const last = items.at(-1);
    if (entry.kind !== 'change') items.push(entry);
    else if (last?.kind === 'changes') last.changes.push(entry);
    else items.push({ kind: 'changes', id: entry.id, changes: [entry] });
  }
  return items;
}

export const isLive = ({ status }: Pick<ThreadRun, 'status'>): boolean =>
  status === 'queued' || status === 'running';

export function liveRunOf(entries: readonly ThreadEntry[]): ThreadRun | undefined {
  const live = entries.flatMap((entry) =>
    entry.kind === 'run' && isLive(entry.run) ? [entry.run] : [],
  );
  return live.find(({ status }) => status === 'running') ?? live[0];
}

import type { ThreadEntry } from '@switchyard/types';
import { presentListedApproval } from '../approvals/list-approvals';
import { presentListedRun } from '../runs/listed-run';

interface Row {
  kind: string;
  at: string;
  id: string;
  // biome-ignore lint/suspicious/noExplicitAny: each kind has its own.
  shown: any;
}

export function presentEntry({ kind, at, id, shown }: Row): ThreadEntry {
  return { kind, id, at, ...partsOf(kind as ThreadEntry['kind'], shown) } as ThreadEntry;
}

function partsOf(kind: ThreadEntry['kind'], shown: Row['shown']) {
  if (kind === 'run') return { run: presentRun(shown) };
  if (kind === 'approval') return { approval: presentListedApproval(shown) };
  const { authorName, ...rest } = shown;
  return { authorName, [kind]: rest };
}

function presentRun({ logTail, ...run }: Row['shown']) {
  const tail = logTail === null ? null : Buffer.from(logTail, 'base64');
  const { issue: _, ...shown } = presentListedRun({ ...run, issue: null, logTail: tail });
  return shown;
}

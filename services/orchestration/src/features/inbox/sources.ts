import type { InboxKind } from '@switchyard/types';
import type { Source } from './source';
import { approvals } from './sources/approvals';
import { blockedIssues } from './sources/blocked-issues';
import { budgets } from './sources/budgets';
import { checks } from './sources/checks';
import { failedRuns } from './sources/failed-runs';
import { idleAgents } from './sources/idle-agents';
import { invites } from './sources/invites';
import { issuesInHand } from './sources/issues-in-hand';
import { mentions } from './sources/mentions';
import { ownIssues } from './sources/own-issues';
import { pauses } from './sources/pauses';
import { reviews } from './sources/reviews';
import { routines } from './sources/routines';
import { secrets } from './sources/secrets';

export const SOURCES: readonly Source[] = [
  approvals,
  mentions,
  pauses,
  budgets,
  blockedIssues,
  failedRuns,
  issuesInHand,
  reviews,
  idleAgents,
  ownIssues,
  routines,
  checks,
  secrets,
  invites,
];

const BY_KIND = new Map(SOURCES.flatMap((source) => source.kinds.map((kind) => [kind, source])));

/** The source that an item of this kind is from. */
export function sourceOf(kind: InboxKind): Source {
  const source = BY_KIND.get(kind);
  if (!source) throw new Error(`no source has items of the kind ${kind}`);
  return source;
}

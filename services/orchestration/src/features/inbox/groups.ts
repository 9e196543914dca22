import { statement } from '@switchyard/db';
import type { InboxKind } from '@switchyard/types';
import { INBOX_ITEM } from './inbox-row';
import { type Part, partsSql } from './parts';
import { ITEM_COLUMNS, type Source } from './source';
import { approvals } from './sources/approvals';
import { blockedIssues } from './sources/blocked-issues';
import { budgets } from './sources/budgets';
import { checks } from './sources/checks';
import { failedRuns } from './sources/failed-runs';
import { idleAgents } from './sources/idle-agents';
import { invites } from './sources/invites';
import { issuesInHand } from './sources/issues-in-hand';
import { mentions } from './sources/mentions';
import { endpoints } from './sources/outside/endpoints';
import { ownIssues } from './sources/own-issues';
import { pauses } from './sources/pauses';
import { reviews } from './sources/reviews';
import { routines } from './sources/routines';
import { secrets } from './sources/secrets';

const CALLER = { companyId: 'uuid', userId: 'text', showsInvites: 'bool' } as const;

export type Group = ReturnType<typeof group>;

const STAFF: readonly Part[] = ['firm', 'open_run', 'waking', 'awake', 'staff', 'failed'];
const LIMITS: readonly Part[] = ['firm', 'open_run', 'waking', 'awake', 'staff'];
const WORK: readonly Part[] = [...STAFF, 'covered', 'waiting'];

export const GROUPS: readonly Group[] = [
  group('issues', WORK, [blockedIssues, mentions, reviews, ownIssues]),
  group('work', WORK, [issuesInHand, idleAgents]),
  group('agents', [...STAFF, 'unfit'], [failedRuns, checks, pauses]),
  group('limits', LIMITS, [budgets, secrets]),
  group('requests', ['firm'], [approvals, routines, invites, endpoints]),
];

const BY_KIND = new Map(
  GROUPS.flatMap(({ sources }) => sources).flatMap((source) =>
    source.kinds.map((kind) => [kind, source]),
  ),
);

export function sourceOf(kind: InboxKind): Source {
  const source = BY_KIND.get(kind);
  if (!source) throw new Error(`no source has items of the kind ${kind}`);
  return source;
}

function group(name: string, parts: readonly Part[], sources: readonly Source[]) {
  const itemsOf = (p: Readonly<Record<keyof typeof CALLER, string>>) => `
  WITH asker AS (SELECT ${p.userId} AS user_id, ${p.showsInvites} AS shows_invites),
  ${partsSql(parts, p)}, item(${ITEM_COLUMNS}) AS (${sources
    .flatMap((source) => source.sql(p))
    .join('\n    UNION ALL')}
  )`;
  return {
    sources,
    kinds: sources.flatMap(({ kinds }) => kinds),
    list: statement(`inbox-${name}`, {
      takes: {
        ...CALLER,
        kinds: 'text[]',
        ids: 'uuid[]?',
        except: 'uuid[]',
        afterSince: 'time',
        afterKind: 'text',
        afterId: 'uuid',
        take: 'int',
      },
      gives: INBOX_ITEM,
      sql: (p) => `${itemsOf(p)}
  SELECT kind, id, date_trunc('milliseconds', since) AS since,
    (extract(epoch FROM happened_at) * 1000000)::bigint AS "happenedAt", fingerprint, issue_id AS "issueId",
    agent_id AS "agentId", agents::int AS agents, issues::int AS issues, facts
  FROM item
  WHERE kind = ANY (${p.kinds}) AND (${p.ids} IS NULL OR id = ANY (${p.ids})) AND id <> ALL (${p.except})
    AND (date_trunc('milliseconds', since), kind COLLATE "C", id) > (${p.afterSince}, ${p.afterKind}, ${p.afterId})
  ORDER BY date_trunc('milliseconds', since), kind COLLATE "C", id LIMIT ${p.take}`,
    }),
    count: statement(`inbox-${name}-counts`, {
      takes: CALLER,
      gives: { kind: 'text', n: 'int' },
      sql: (p) => `${itemsOf(p)}
  SELECT kind, count(*)::int AS n FROM item GROUP BY kind`,
    }),
  };
}

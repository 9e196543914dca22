import { statement } from '@switchyard/db';
import type { InboxKind } from '@switchyard/types';
import { INBOX_ITEM } from './inbox-row';
import { type Part, partsSql } from './parts';
import { countSql, ITEM_COLUMNS, type Items, itemSql, type Source } from './source';
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
type Caller = Readonly<Record<keyof typeof CALLER, string>>;

const LIMITS: readonly Part[] = ['firm', 'open_run', 'waking', 'awake', 'staff'];
const STAFF: readonly Part[] = [...LIMITS, 'failed'];
const WORK: readonly Part[] = [...STAFF, 'covered', 'waiting'];

const ISSUES = [blockedIssues, mentions];
const WORKING = [issuesInHand, idleAgents];
const AGENTS = [failedRuns, checks];
const REST = [budgets, secrets];
const REQUESTS = [approvals, routines, invites, endpoints];

export const LISTS = [
  list('issues', WORK, ISSUES),
  list('own', ['firm', 'waiting'], [ownIssues]),
  list('reviews', [...STAFF, 'covered'], [reviews]),
  list('work', WORK, WORKING),
  list('agents', [...STAFF, 'unfit'], [...AGENTS, pauses]),
  list('limits', LIMITS, REST),
  list('requests', ['firm'], REQUESTS),
];
export const SHARED_COUNTS = [
  count('work', [...WORK, 'unfit'], [...ISSUES, reviews, ...WORKING, ...AGENTS]),
  count('requests', LIMITS, [pauses, ...REST, ...REQUESTS]),
];
export const OWN_COUNT = count('own', ['firm', 'waiting'], [ownIssues]);

const BY_KIND = new Map(
  LISTS.flatMap(({ sources }) => sources).flatMap((source) =>
    source.kinds.map((kind) => [kind, source]),
  ),
);

export function sourceOf(kind: InboxKind): Source {
  const source = BY_KIND.get(kind);
  if (!source) throw new Error(`no source has items of the kind ${kind}`);
  return source;
}

function list(name: string, parts: readonly Part[], sources: readonly Source[]) {
  return {
    sources,
    kinds: sources.flatMap(({ kinds }) => kinds),
    statement: statement(`inbox-${name}`, {
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
      sql: (p) => {
        const page = (kind: string, id: string, since: string) => `
      ${kind} = ANY (${p.kinds}) AND (${p.ids} IS NULL OR ${id} = ANY (${p.ids})) AND ${id} <> ALL (${p.except})
        AND (${since}, ${kind} COLLATE "C", ${id}) > (${p.afterSince}, ${p.afterKind}, ${p.afterId})`;
        const itemsSql = (items: Items) => {
          const { kind, columns, isIndexed } = items;
          const { id, since } = columns;
          return isIndexed
            ? ` (${itemSql(items)} AND ${page(kind, id, since)} ORDER BY ${since}, ${id} LIMIT ${p.take})`
            : itemSql(items);
        };
        const since = "date_trunc('milliseconds', since)";
        return `${withParts(parts, p)}, item(${ITEM_COLUMNS}) AS (${union(sources, p, itemsSql)})
  SELECT kind, id, ${since} AS since, (extract(epoch FROM happened_at) * 1000000)::bigint AS "happenedAt",
    fingerprint, issue_id AS "issueId", agent_id AS "agentId", agents::int AS agents, issues::int AS issues, facts
  FROM item WHERE ${page('kind', 'id', since)}
  ORDER BY ${since}, kind COLLATE "C", id LIMIT ${p.take}`;
      },
    }),
  };
}

function count(name: string, parts: readonly Part[], sources: readonly Source[]) {
  return statement(`inbox-counts-of-${name}`, {
    takes: CALLER,
    gives: { kind: 'text', n: 'int' },
    sql: (p) => `${withParts(parts, p)}
  SELECT kind, n::int AS n FROM (${union(sources, p, countSql)}) counted(kind, n)`,
  });
}

function withParts(parts: readonly Part[], p: Caller) {
  return `
  WITH asker AS (SELECT ${p.userId} AS user_id, ${p.showsInvites} AS shows_invites),
  ${partsSql(parts, p)}`;
}

function union(sources: readonly Source[], p: Caller, sql: (items: Items) => string) {
  const items = sources.flatMap((source) => source.items(p));
  return items.map(sql).join('\n    UNION ALL');
}

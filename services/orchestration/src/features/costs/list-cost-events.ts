import { ask, select, statement } from '@switchyard/db';
import type { ListCostEventsQuery } from '@switchyard/types';
import type { Call } from '../../kernel/call';
import { newestStart, page } from '../../lists/page';
import { COST_EVENT, presentCost } from '../../state/costs/write-cost';

export async function listCostEvents(call: Call, query: ListCostEventsQuery) {
  const { agentId, issueId, runId, provider, model, from, to, limit } = query;
  const rows = await ask(call.db, statementFor(query), {
    companyId: call.companyId,
    agentId: agentId ?? null,
    issueId: issueId ?? null,
    runId: runId ?? null,
    provider: provider ?? null,
    model: model ?? null,
    from: from === undefined ? '-infinity' : `${from}T00:00:00.000Z`,
    to: to === undefined ? 'infinity' : `${to}T00:00:00.000Z`,
    ...newestStart(query),
    take: limit + 1,
  });
  return page(rows, limit, presentCost, (row) => [row.createdAt, row.id]);
}

function statementFor({ issueId, runId }: ListCostEventsQuery) {
  if (runId !== undefined) return readEventsOfRun;
  return issueId === undefined ? readEvents : readEventsOfIssue;
}

const PARAMETERS = {
  companyId: 'uuid',
  agentId: 'uuid?',
  issueId: 'uuid?',
  runId: 'uuid?',
  provider: 'text?',
  model: 'text?',
  from: 'time',
  to: 'time',
  beforeTime: 'time',
  beforeId: 'uuid',
  take: 'int',
} as const;

type Parameters = Record<keyof typeof PARAMETERS, string>;

/**
 * Chooses the page from `events`, then reads its rows. `coalesce` hides the value's frequency from
 * the planner; otherwise the planner would scan the table for a rare model.
 */
const eventsFrom = (events: (p: Parameters) => string) =>
  ({
    takes: PARAMETERS,
    gives: COST_EVENT,
    sql: (p: Parameters) => {
      const chosen = (column: string, value: string) =>
        `AND coalesce(${column} = ${value}, ${value} IS NULL)`;
      return `
    SELECT ${select(COST_EVENT, 'event')}
    FROM (
      SELECT id FROM ${events(p)}
      WHERE company_id = ${p.companyId} AND created_at >= ${p.from} AND created_at < ${p.to}
        AND (created_at, id) < (${p.beforeTime}, ${p.beforeId})
        ${chosen('agent_id', p.agentId)} ${chosen('issue_id', p.issueId)}
        ${chosen('run_id', p.runId)} ${chosen('provider', p.provider)} ${chosen('model', p.model)}
      ORDER BY created_at DESC, id DESC LIMIT ${p.take}
    ) chosen JOIN cost_event event ON event.id = chosen.id
    ORDER BY event.created_at DESC, event.id DESC`;
    },
  }) as const;

/**
 * OFFSET 0 prevents the planner from merging the subquery, so that PostgreSQL uses the index of
 * `column`.
 */
const ofOne = (column: string, { companyId }: Parameters, value: string) =>
  `(SELECT * FROM cost_event WHERE company_id = ${companyId} AND ${column} = ${value} OFFSET 0) own`;

const readEvents = statement(
  'list-cost-events',
  eventsFrom(() => 'cost_event'),
);
const readEventsOfIssue = statement(
  'list-cost-events-of-issue',
  eventsFrom((p) => ofOne('issue_id', p, p.issueId)),
);
const readEventsOfRun = statement(
  'list-cost-events-of-run',
  eventsFrom((p) => ofOne('run_id', p, p.runId)),
);

import { ask, select, statement } from '@switchyard/db';
import type { CostEventView, ListCostEventsQuery } from '@switchyard/types';
import type { Call } from '../../call';
import { newestStart, page } from '../../lists/page';

/** What was recorded as spent, newest first. */
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
  const present = (row: (typeof rows)[number]): CostEventView => row;
  return page(rows, limit, present, (row) => [row.createdAt, row.id]);
}

/** An issue and a run have few events of a company's, so each is looked up by an index of its own. */
function statementFor({ issueId, runId }: ListCostEventsQuery) {
  if (runId !== undefined) return readEventsOfRun;
  return issueId === undefined ? readEvents : readEventsOfIssue;
}

const EVENT = {
  id: 'uuid',
  companyId: 'uuid',
  agentId: 'uuid',
  issueId: 'uuid?',
  projectId: 'uuid?',
  goalId: 'uuid?',
  runId: 'uuid?',
  provider: 'text',
  model: 'text',
  inputTokens: 'bigint',
  outputTokens: 'bigint',
  costCents: 'bigint',
  unpriced: 'bool',
  occurredAt: 'time',
  createdAt: 'time',
} as const;

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

type Filter = 'agent_id' | 'issue_id' | 'run_id' | 'provider' | 'model';

/** The page is chosen in the index alone, which has every column that is filtered by; then its rows are read. */
const eventsBy = (given: Filter | null) =>
  ({
    takes: PARAMETERS,
    gives: EVENT,
    sql: (p: Record<keyof typeof PARAMETERS, string>) => {
      const filter = (column: Filter, value: string) =>
        column === given
          ? `AND ${column} = ${value}`
          : `AND (${value} IS NULL OR ${column} = ${value})`;
      return `
    SELECT ${select(EVENT, 'event')}
    FROM (
      SELECT id FROM cost_event
      WHERE company_id = ${p.companyId} AND created_at >= ${p.from} AND created_at < ${p.to}
        AND (created_at, id) < (${p.beforeTime}, ${p.beforeId})
        ${filter('agent_id', p.agentId)} ${filter('issue_id', p.issueId)}
        ${filter('run_id', p.runId)} ${filter('provider', p.provider)} ${filter('model', p.model)}
      ORDER BY created_at DESC, id DESC LIMIT ${p.take}
    ) chosen JOIN cost_event event ON event.id = chosen.id
    ORDER BY event.created_at DESC, event.id DESC`;
    },
  }) as const;

const readEvents = statement('list-cost-events', eventsBy(null));
const readEventsOfIssue = statement('list-cost-events-of-issue', eventsBy('issue_id'));
const readEventsOfRun = statement('list-cost-events-of-run', eventsBy('run_id'));

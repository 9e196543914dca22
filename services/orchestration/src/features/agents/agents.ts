import { ask, type Database, type FromColumns, select, statement } from '@switchyard/db';
import { notFound } from '@switchyard/server';
import type { AgentDetailView, AgentView, ChangedAgentView, OrgNode } from '@switchyard/types';
import type { AgentActor } from '../../kernel/actor';
import type { Call } from '../../kernel/call';
import { newestStart } from '../../lists/page';
import { pageWithinBytes, withinBytes } from '../../lists/page-bytes';
import { agentSpend } from '../../state/budgets/spent';
import { isDeletedSql } from '../../state/companies/deleted';
import { nameKey } from '../../state/names/unique-names';
import { maskConfig } from './configuration/mask-config';
import { AGENT_FACTS, presentListedAgent, selectAgentFacts } from './listed-agent-facts';

export async function getAgent(call: Call, agentId: string): Promise<AgentDetailView> {
  const [agent] = await ask(call.db, readAgent, { agentId });
  if (!agent) throw notFound('agent');
  return { ...present(call, agent), chainOfCommand: agent.chainOfCommand };
}

export function getOwnAgent(call: Call & { actor: AgentActor }): Promise<AgentDetailView> {
  return getAgent(call, call.actor.agentId);
}

export async function listAgents(
  call: Call,
  query: { limit: number; cursor?: string | undefined; name?: string | undefined },
) {
  const { companyId, db } = call;
  const { limit, name } = query;
  const key = name === undefined ? null : nameKey(name);
  const rows = await ask(db, readAgents, { companyId, limit, nameKey: key, ...newestStart(query) });
  const shown = rows.map(({ found, ...row }) => ({
    ...presentListedAgent(present(call, row)),
    found,
  }));
  return pageWithinBytes(shown, limit, ({ createdAt, id }) => [createdAt, id]);
}

export async function readAgentRows(
  db: Database,
  companyId: string,
  ids: string[],
): Promise<ChangedAgentView[]> {
  const rows = await ask(db, readAgentsByIds, { companyId, ids });
  return rows.map((row) => presentListedAgent(row as ChangedAgentView & typeof row));
}

export async function getOrg(call: Call): Promise<OrgNode[]> {
  const agents = await call.db.prisma.agent.findMany({
    where: { companyId: call.companyId },
    select: { id: true, name: true, role: true, title: true, status: true, reportsTo: true },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
  const nodes = new Map<string, OrgNode>();
  for (const { reportsTo: _, ...agent } of agents) {
    nodes.set(agent.id, { ...agent, status: agent.status as OrgNode['status'], reports: [] });
  }
  const roots: OrgNode[] = [];
  for (const agent of agents) {
    const siblings = (agent.reportsTo && nodes.get(agent.reportsTo)?.reports) || roots;
    siblings.push(nodes.get(agent.id) as OrgNode);
  }
  return roots;
}

type AgentRow = FromColumns<typeof STORED> & { spentMonthlyCents: number };

const present = <Row extends AgentRow>({ actor }: Call, row: Row) => {
  const reader = { actor, companyId: row.companyId, agentId: row.id };
  return { ...row, adapterConfig: maskConfig(row.adapterConfig, reader) } as Row & AgentView;
};

const STORED = {
  id: 'uuid',
  companyId: 'uuid',
  name: 'text',
  role: 'text',
  title: 'text?',
  reportsTo: 'uuid?',
  capabilities: 'text?',
  status: 'text',
  pauseReason: 'text?',
  pausedAt: 'time?',
  budgetMonthlyCents: 'bigint',
  adapterType: 'text',
  adapterConfig: 'json',
  maxConcurrentRuns: 'int',
  wakeOnAssignment: 'bool',
  limitKeys: 'text[]?',
  lastHeartbeatAt: 'time?',
  createdAt: 'time',
  updatedAt: 'time',
} as const;

const { adapterConfig: _, capabilities: __, ...SMALL } = STORED;

const readAgentsByIds = statement('agents-by-ids', {
  takes: { companyId: 'uuid', ids: 'uuid[]' },
  gives: { ...SMALL, spentMonthlyCents: 'bigint', ...AGENT_FACTS },
  sql: ({ companyId, ids }) => `
    SELECT ${select(SMALL, 'a')}, ${agentSpend('a.id')} AS "spentMonthlyCents", ${selectAgentFacts('a')}
    FROM agent a WHERE a.company_id = ${companyId} AND a.id = ANY (${ids})`,
});

const readAgent = statement('read-agent', {
  takes: { agentId: 'uuid' },
  gives: { ...STORED, spentMonthlyCents: 'bigint', chainOfCommand: 'json' },
  sql: ({ agentId }) => `
    SELECT ${select(STORED, 'a')}, ${agentSpend('a.id')} AS "spentMonthlyCents",
      CASE WHEN a.reports_to IS NULL THEN '[]' ELSE (
        WITH RECURSIVE above AS (
          SELECT m.id, m.name, m.role, m.reports_to, 1 AS height
          FROM agent m WHERE m.id = a.reports_to
          UNION ALL
          SELECT m.id, m.name, m.role, m.reports_to, above.height + 1
          FROM above JOIN agent m ON m.id = above.reports_to
        )
        SELECT jsonb_agg(jsonb_build_object('id', id, 'name', name, 'role', role) ORDER BY height)
        FROM above
      ) END AS "chainOfCommand"
    FROM agent a WHERE a.id = ${agentId} AND NOT ${isDeletedSql('a.company_id')}`,
});

const readAgents = statement('list-agents', {
  takes: {
    companyId: 'uuid',
    nameKey: 'text?',
    beforeTime: 'time',
    beforeId: 'uuid',
    limit: 'int',
  },
  gives: { ...STORED, spentMonthlyCents: 'bigint', ...AGENT_FACTS, found: 'int' },
  sql: (p) => `
    SELECT ${select(STORED, 'a')}, ${agentSpend('a.id')} AS "spentMonthlyCents",
      ${selectAgentFacts('a')}, a.found
    FROM (${withinBytes({
      rows: `SELECT * FROM agent
        WHERE company_id = ${p.companyId} AND (created_at, id) < (${p.beforeTime}, ${p.beforeId})
          AND (${p.nameKey} IS NULL OR (status <> 'terminated' AND name_key = ${p.nameKey}))`,
      order: 'created_at DESC, id DESC',
      bytes: 'octet_length(adapter_config::text) + coalesce(octet_length(capabilities), 0)',
      limit: p.limit,
    })}) a`,
});

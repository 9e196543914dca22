import { type AgentModel, type Database, Prisma } from '@switchyard/db';
import { notFound } from '@switchyard/server';
import type { AgentDetailView, OrgNode } from '@switchyard/types';
import type { Call } from '../../call';
import { NEWEST_FIRST, newestCursor, pageOf } from '../../lists/page';
import { newestWithinBytes } from '../../lists/page-bytes';
import { spentByAgent } from '../../state/budgets/spent';
import { presentAgent } from './present-agent';

/** Direct manager first, upward (spec, "Agent"). */
async function chainOfCommand(db: Database, agentId: string) {
  return db.prisma.$queryRaw<AgentDetailView['chainOfCommand']>`
    WITH RECURSIVE above AS (
      SELECT m.id, m.name, m.role, m.reports_to, 1 AS height
      FROM agent a JOIN agent m ON m.id = a.reports_to WHERE a.id = ${agentId}::uuid
      UNION ALL
      SELECT m.id, m.name, m.role, m.reports_to, above.height + 1
      FROM above JOIN agent m ON m.id = above.reports_to
    ) SELECT id, name, role FROM above ORDER BY height`;
}

export async function getAgent(db: Database, id: string): Promise<AgentDetailView> {
  const agent = await db.prisma.agent.findUnique({ where: { id } });
  if (!agent) throw notFound('agent');
  const spent = await spentByAgent(db, [id]);
  return {
    ...presentAgent(agent, spent.get(id) ?? 0),
    chainOfCommand: await chainOfCommand(db, id),
  };
}

/** Newest first; what `adapterConfig` holds is the board's choice, so a page may be shorter than `limit`. */
export async function listAgents(
  call: Call,
  query: { limit: number; cursor?: string | undefined },
) {
  const { prisma } = call.db;
  const large = {
    table: Prisma.sql`agent`,
    where: Prisma.sql`company_id = ${call.companyId}::uuid`,
    bytes: Prisma.sql`octet_length(adapter_config::text) + coalesce(octet_length(capabilities), 0)`,
  };
  const { ids, hasMore } = await newestWithinBytes(call.db, large, query);
  const where = { id: { in: ids } };
  const rows = await prisma.agent.findMany({ where, orderBy: NEWEST_FIRST });
  const spent = await spentByAgent(call.db, ids);
  const present = (row: AgentModel) => presentAgent(row, spent.get(row.id) ?? 0);
  return pageOf(rows, query.limit, hasMore, present, newestCursor);
}

/** Roots first; whoever reports to nobody, or to nobody of this list, is a root. */
export async function getOrg(db: Database, companyId: string): Promise<OrgNode[]> {
  const agents = await db.prisma.agent.findMany({
    where: { companyId },
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

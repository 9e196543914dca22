import { type AgentModel, newId, type Prisma, type Tx } from '@switchyard/db';
import { createdBy, type Scope } from '../../access/actor';

/** The fields of an agent that are its configuration; each change of one makes a revision. */
const CONFIGURATION = [
  'name',
  'role',
  'title',
  'capabilities',
  'reportsTo',
  'adapterType',
  'adapterConfig',
  'budgetMonthlyCents',
  'maxConcurrentRuns',
  'wakeOnAssignment',
] as const;

type Configuration = Record<(typeof CONFIGURATION)[number], unknown>;

export function configurationOf(agent: AgentModel): Configuration {
  const entries = CONFIGURATION.map((key) => {
    const value = agent[key];
    return [key, typeof value === 'bigint' ? Number(value) : value];
  });
  return Object.fromEntries(entries) as Configuration;
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** Writes a revision when the configuration differs; answers its changed keys. */
export async function recordRevision(
  tx: Tx,
  scope: Pick<Scope, 'actor'>,
  before: AgentModel | null,
  after: AgentModel,
  source: 'create' | 'patch' | 'rollback',
  rolledBackFromRevisionId: string | null = null,
): Promise<string[]> {
  const old = before && configurationOf(before);
  const now = configurationOf(after);
  const changedKeys = CONFIGURATION.filter((key) => !old || !same(old[key], now[key]));
  if (changedKeys.length === 0) return [];
  const last = await tx.agentConfigRevision.aggregate({
    where: { agentId: after.id },
    _max: { revisionNumber: true },
  });
  await tx.agentConfigRevision.create({
    data: {
      id: newId(),
      companyId: after.companyId,
      agentId: after.id,
      revisionNumber: (last._max.revisionNumber ?? 0) + 1,
      changedKeys,
      ...(old && { before: old as unknown as Prisma.InputJsonObject }),
      after: now as unknown as Prisma.InputJsonObject,
      source,
      rolledBackFromRevisionId,
      ...createdBy(scope),
    },
  });
  return changedKeys;
}

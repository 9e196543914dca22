import { type AgentModel, newId, type Prisma } from '@switchyard/db';
import { type AgentConfiguration, CONFIGURATION_KEYS } from '@switchyard/types';
import { createdBy } from '../../access/actor';
import type { Tx } from '../../call';

export function configurationOf(agent: AgentModel): AgentConfiguration {
  const entries = CONFIGURATION_KEYS.map((key) => {
    const value = agent[key];
    return [key, typeof value === 'bigint' ? Number(value) : value];
  });
  return Object.fromEntries(entries) as AgentConfiguration;
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** Writes a revision when the configuration differs; answers its changed keys. */
export async function recordRevision(
  tx: Tx,
  before: AgentModel | null,
  after: AgentModel,
  origin: { source: 'create' | 'patch' | 'rollback'; rolledBackFromRevisionId?: string },
): Promise<string[]> {
  const old = before && configurationOf(before);
  const now = configurationOf(after);
  const changedKeys = CONFIGURATION_KEYS.filter((key) => !old || !same(old[key], now[key]));
  if (changedKeys.length === 0) return [];
  const last = await tx.prisma.agentConfigRevision.aggregate({
    where: { agentId: after.id },
    _max: { revisionNumber: true },
  });
  await tx.prisma.agentConfigRevision.create({
    data: {
      id: newId(),
      companyId: after.companyId,
      agentId: after.id,
      revisionNumber: (last._max.revisionNumber ?? 0) + 1,
      changedKeys,
      ...(old && { before: old as unknown as Prisma.InputJsonObject }),
      after: now as unknown as Prisma.InputJsonObject,
      ...origin,
      ...createdBy(tx),
    },
    select: { id: true },
  });
  return changedKeys;
}

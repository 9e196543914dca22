import { isDeepStrictEqual } from 'node:util';
import type { AgentModel, Prisma } from '@switchyard/db';
import type { AgentConfiguration } from '@switchyard/types';
import type { Tx } from '../../../call';
import { lockSpend, settleAgentBudget } from '../../../state/budgets/agent-budget';
import { withUniqueName } from '../agent-names';
import { assertManager } from '../assert-manager';
import { configurationOf, recordRevision } from '../record-revision';
import { assertSecretsExist } from './secret-references';

export type RevisionOrigin =
  | { source: 'patch' }
  | { source: 'rollback'; rolledBackFromRevisionId: string };

/**
 * Writes what differs of an agent's configuration, with one revision; answers the changed keys. The
 * caller holds the agent's lock, so revisions are numbered one after the other. Another budget pauses
 * or resumes at once (contract, "Behaviour" 6).
 * @throws ApiError 409 `name_taken`, 422 for a manager or a secret that cannot be named
 */
export async function writeConfiguration(
  tx: Tx,
  before: AgentModel,
  wanted: Partial<AgentConfiguration>,
  origin: RevisionOrigin,
): Promise<string[]> {
  const present = configurationOf(before);
  const keys = Object.keys(wanted) as (keyof AgentConfiguration)[];
  if (keys.every((key) => isDeepStrictEqual(wanted[key], present[key]))) return [];
  const { adapterConfig, reportsTo, ...plain } = wanted;
  if (reportsTo && reportsTo !== before.reportsTo) {
    await assertManager(tx, tx.companyId, before.id, reportsTo);
  }
  if (adapterConfig) await assertSecretsExist(tx, tx.companyId, adapterConfig);
  const written = tx.prisma.agent.update({
    where: { id: before.id },
    data: {
      ...plain,
      ...(reportsTo !== undefined && { reportsTo }),
      ...(adapterConfig && { adapterConfig: adapterConfig as Prisma.InputJsonObject }),
    },
  });
  const after = await withUniqueName(wanted.name, written);
  const changed = await recordRevision(tx, before, after, origin);
  if (changed.includes('budgetMonthlyCents')) {
    await lockSpend(tx, before.id, null);
    await settleAgentBudget(tx, before.id);
  }
  return changed;
}

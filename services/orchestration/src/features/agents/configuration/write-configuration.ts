import { isDeepStrictEqual } from 'node:util';
import type { AgentModel } from '@switchyard/db';
import type { AgentConfiguration } from '@switchyard/types';
import type { Tx } from '../../../kernel/call';
import {
  configurationOf,
  type RevisionOrigin,
  updateConfiguration,
} from '../../../state/agents/configuration';
import { enforceAgentBudget, lockSpend } from '../../../state/costs/agent-budget';
import { assertManager } from '../assert-manager';
import { assertSecretsExist } from './secret-references';

/**
 * Writes changes with one revision; returns the changed keys. The caller holds the agent's lock. A
 * new budget pauses or resumes the agent immediately.
 * @throws ApiError 409 `name_taken`, 422 for an invalid manager or secret
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
  const { adapterConfig, reportsTo } = wanted;
  if (reportsTo && reportsTo !== before.reportsTo) await assertManager(tx, before.id, reportsTo);
  if (adapterConfig) await assertSecretsExist(tx, adapterConfig);
  const changed = await updateConfiguration(tx, before, wanted, origin);
  if (changed.includes('budgetMonthlyCents')) {
    await lockSpend(tx, before.id, null);
    await enforceAgentBudget(tx, before.id);
  }
  return changed;
}

import { type AgentModel, ask, newId, type Prisma, statement } from '@switchyard/db';
import {
  type AgentConfiguration,
  CONFIGURATION_KEYS,
  type CreateAgentBody,
} from '@switchyard/types';
import { createdBy } from '../../kernel/actor';
import type { Tx } from '../../kernel/call';
import { assertTextFits } from '../companies/text-quota';
import { nameColumns, withUniqueName } from '../names/unique-names';

export const UNSETTLED_ADAPTER = 'process';

export type RevisionOrigin =
  | { source: 'create' | 'patch' }
  | { source: 'rollback'; rolledBackFromRevisionId: string };

export async function insertAgent(
  tx: Tx,
  fields: CreateAgentBody & { status?: 'idle' | 'pending_approval' },
): Promise<AgentModel> {
  const adapterConfig = (fields.adapterConfig ?? {}) as Prisma.InputJsonObject;
  const data = {
    ...fields,
    ...nameColumns(fields.name),
    id: newId(),
    companyId: tx.companyId,
    adapterConfig,
  };
  const agent = await withUniqueName('an agent', fields.name, tx.prisma.agent.create({ data }));
  await recordRevision(tx, null, agent, { source: 'create' });
  return agent;
}

/**
 * Writes configuration fields and one revision; returns the changed keys. The caller holds the
 * agent's lock, so revision numbers are in order.
 * @throws ApiError 409 `name_taken`
 */
export async function updateConfiguration(
  tx: Tx,
  before: AgentModel,
  { adapterConfig, ...plain }: Partial<AgentConfiguration>,
  origin: RevisionOrigin,
): Promise<string[]> {
  const config = adapterConfig as Prisma.InputJsonObject | undefined;
  const written = tx.prisma.agent.update({
    where: { id: before.id },
    data: {
      ...plain,
      ...nameColumns(plain.name),
      ...(config && { adapterConfig: config }),
    } as Prisma.AgentUncheckedUpdateInput,
  });
  const after = await withUniqueName('an agent', plain.name, written);
  return recordRevision(tx, before, after, origin);
}

export function configurationOf(agent: AgentModel): AgentConfiguration {
  const entries = CONFIGURATION_KEYS.map((key) => {
    const value = agent[key];
    return [key, typeof value === 'bigint' ? Number(value) : value];
  });
  return Object.fromEntries(entries) as AgentConfiguration;
}

async function recordRevision(
  tx: Tx,
  before: AgentModel | null,
  after: AgentModel,
  origin: RevisionOrigin,
): Promise<string[]> {
  const old = before && configurationOf(before);
  const now = configurationOf(after);
  const changedKeys = CONFIGURATION_KEYS.filter((key) => !old || !same(old[key], now[key]));
  if (changedKeys.length === 0) return [];
  await ask(tx, insertRevision, {
    rolledBackFromRevisionId: null,
    ...origin,
    ...createdBy(tx),
    id: newId(),
    companyId: after.companyId,
    agentId: after.id,
    changedKeys,
    before: old,
    after: now,
  });
  // Limits and budgets may be changed even if the company's text quota is used up.
  if (changedKeys.some((key) => TEXTS.includes(key))) await assertTextFits(tx);
  return changedKeys;
}

const TEXTS: readonly string[] = ['name', 'title', 'capabilities', 'adapterConfig'];

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

const insertRevision = statement('insert-config-revision', {
  takes: {
    id: 'uuid',
    companyId: 'uuid',
    agentId: 'uuid',
    changedKeys: 'text[]',
    before: 'json?',
    after: 'json',
    source: 'text',
    rolledBackFromRevisionId: 'uuid?',
    createdByAgentId: 'uuid?',
    createdByUserId: 'text?',
  },
  gives: {},
  sql: (p) => `
    INSERT INTO agent_config_revision (id, company_id, agent_id, revision_number, changed_keys,
      before, after, source, rolled_back_from_revision_id, created_by_agent_id, created_by_user_id)
    SELECT ${p.id}, ${p.companyId}, ${p.agentId},
      coalesce((SELECT max(revision_number) FROM agent_config_revision
        WHERE agent_id = ${p.agentId}), 0) + 1,
      ${p.changedKeys}, ${p.before}, ${p.after}, ${p.source}, ${p.rolledBackFromRevisionId},
      ${p.createdByAgentId}, ${p.createdByUserId}`,
});

import {
  type AgentModel,
  ask,
  type ColumnType,
  columnValues,
  insertedFields,
  newId,
  select,
  setFields,
  snakeCase,
  statement,
} from '@switchyard/db';
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
): Promise<{ id: string; name: string; role: string }> {
  const id = newId();
  const data = { ...DEFAULTS, ...fields, ...nameColumns(fields.name), id, companyId: tx.companyId };
  const written = ask(tx, insertRow, { values: columnValues(data) });
  const [after] = await withUniqueName('an agent', fields.name, written);
  await recordRevision(tx, id, null, after as AgentConfiguration, { source: 'create' });
  return { id, name: fields.name, role: fields.role };
}

/**
 * Writes configuration fields and one revision; returns the changed keys. The caller holds the
 * agent's lock, so revision numbers are in order.
 * @throws ApiError 409 `name_taken`
 */
export async function updateConfiguration(
  tx: Tx,
  before: AgentModel,
  fields: Partial<AgentConfiguration>,
  origin: RevisionOrigin,
): Promise<string[]> {
  const { id } = before;
  const values = columnValues({ ...fields, ...nameColumns(fields.name) });
  const written = ask(tx, updateRow, { id, values });
  const [after] = await withUniqueName('an agent', fields.name, written);
  return recordRevision(tx, id, configurationOf(before), after as AgentConfiguration, origin);
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
  agentId: string,
  before: AgentConfiguration | null,
  after: AgentConfiguration,
  origin: RevisionOrigin,
): Promise<string[]> {
  const changedKeys = CONFIGURATION_KEYS.filter((key) => !before || !same(before[key], after[key]));
  if (changedKeys.length === 0) return [];
  await ask(tx, insertRevision, {
    rolledBackFromRevisionId: null,
    ...origin,
    ...createdBy(tx),
    id: newId(),
    companyId: tx.companyId,
    agentId,
    changedKeys,
    before,
    after,
  });
  // Limits and budgets may be changed even if the company's text quota is used up.
  if (changedKeys.some((key) => TEXTS.includes(key))) await assertTextFits(tx);
  return changedKeys;
}

const TEXTS: readonly string[] = ['name', 'title', 'capabilities', 'adapterConfig'];

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

const DEFAULTS = {
  status: 'idle',
  adapterConfig: {},
  budgetMonthlyCents: 0,
  maxConcurrentRuns: 1,
  wakeOnAssignment: false,
  limitKeys: [],
};

const CONFIGURATION = {
  name: 'text',
  role: 'text',
  title: 'text?',
  capabilities: 'text?',
  reportsTo: 'uuid?',
  adapterType: 'text',
  adapterConfig: 'json',
  budgetMonthlyCents: 'bigint',
  maxConcurrentRuns: 'int',
  wakeOnAssignment: 'bool',
  limitKeys: 'text[]?',
} as const satisfies Record<keyof AgentConfiguration, ColumnType>;

const WRITABLE = ['name_key', ...Object.keys(CONFIGURATION).map(snakeCase)];
const INSERTED = ['id', 'company_id', 'status', ...WRITABLE];

const insertRow = statement('insert-agent', {
  takes: { values: 'json' },
  gives: CONFIGURATION,
  sql: ({ values }) => `
    INSERT INTO agent ${insertedFields('agent', INSERTED, values)}
    RETURNING ${select(CONFIGURATION, 'agent')}`,
});

const updateRow = statement('update-agent', {
  takes: { id: 'uuid', values: 'json' },
  gives: CONFIGURATION,
  sql: ({ id, values }) => `
    UPDATE agent SET ${setFields('agent', WRITABLE, values)} WHERE agent.id = ${id}
    RETURNING ${select(CONFIGURATION, 'agent')}`,
});

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

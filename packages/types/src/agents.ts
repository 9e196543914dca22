import { z } from 'zod';
import {
  budgetCents,
  cents,
  confirmUnlimited,
  id,
  jsonObject,
  longText,
  name,
  pageQuery,
  timestamp,
  title,
} from './primitives';
import { limitKey } from './running/run-limits';

export const AGENT_STATUSES = [
  'idle',
  'running',
  'paused',
  'error',
  'pending_approval',
  'terminated',
] as const;
export const PAUSE_REASONS = ['manual', 'budget', 'failures'] as const;

const role = z
  .string()
  .regex(/^[a-z][a-z0-9_-]{0,63}$/, 'must be one lower-case word of up to 64 characters');

export const agent = z.object({
  id,
  companyId: id,
  name: z.string(),
  role: z.string(),
  title: z.string().nullable(),
  reportsTo: id.nullable(),
  capabilities: z.string().nullable(),
  status: z.enum(AGENT_STATUSES),
  pauseReason: z.enum(PAUSE_REASONS).nullable(),
  pausedAt: timestamp.nullable(),
  budgetMonthlyCents: budgetCents,
  spentMonthlyCents: cents,
  adapterType: z.string(),
  adapterConfig: z.record(z.string(), z.unknown()),
  maxConcurrentRuns: z.int(),
  wakeOnAssignment: z.boolean(),
  limitKeys: z
    .array(z.string())
    .describe(
      'Keys of limits that apply to its runs; a coding agent also has `provider:<provider>`',
    ),
  lastHeartbeatAt: timestamp.nullable(),
  createdAt: timestamp,
  updatedAt: timestamp,
});

const manager = z.object({ id, name: z.string(), role: z.string() });

export const agentDetail = agent.extend({
  chainOfCommand: z.array(manager),
});

/**
 * A reason why runs cannot start with the operator's settings. The configuration is stored
 * nevertheless.
 */
export const agentWarning = z.object({
  code: z.string(),
  message: z.string(),
  setting: z.string().optional(),
});

export const agentWarnings = z
  .array(agentWarning)
  .describe('Reasons why the agent cannot run with its current settings');

export const savedAgent = agentDetail.extend({ warnings: agentWarnings });

export const adapterTypeName = z.string().min(1).max(64);

const writable = {
  name,
  role,
  title: title.nullable(),
  capabilities: longText.nullable(),
  reportsTo: id.nullable(),
  adapterType: adapterTypeName,
  adapterConfig: jsonObject,
  budgetMonthlyCents: budgetCents,
  maxConcurrentRuns: z.int().min(1).max(50),
  wakeOnAssignment: z.boolean(),
  limitKeys: z
    .array(limitKey)
    .max(8)
    .refine((keys) => new Set(keys).size === keys.length, 'must not contain a key twice'),
};

export const createAgentBody = z
  .strictObject(writable)
  .partial()
  .required({ name: true, adapterType: true })
  .extend({ role: role.default('engineer') });

export const updateAgentBody = z.strictObject({ ...writable, confirmUnlimited }).partial();

export const rollbackAgentBody = z.strictObject({ confirmUnlimited }).partial();

export const listAgentsQuery = z.strictObject({
  ...pageQuery(),
  /**
   * The whole name, ignoring case. Matches at most one agent, because a terminated agent releases
   * its name.
   */
  name: name.optional(),
});

export const listAgentKeysQuery = z.strictObject(pageQuery());
export const createAgentKeyBody = z.strictObject({ name: name.default('default') });
export const agentKey = z.object({
  id,
  name: z.string(),
  prefix: z.string(),
  lastUsedAt: timestamp.nullable(),
  createdAt: timestamp,
});
export const createdAgentKey = agentKey.omit({ lastUsedAt: true }).extend({ key: z.string() });

export const CONFIGURATION_KEYS = [
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
  'limitKeys',
] as const;

const configuration = agent.pick({
  name: true,
  role: true,
  title: true,
  capabilities: true,
  reportsTo: true,
  adapterType: true,
  adapterConfig: true,
  budgetMonthlyCents: true,
  maxConcurrentRuns: true,
  wakeOnAssignment: true,
  limitKeys: true,
});

export const configRevision = z.object({
  id,
  agentId: id,
  revisionNumber: z.int(),
  changedKeys: z.array(z.enum(CONFIGURATION_KEYS)),
  before: configuration.nullable(),
  after: configuration,
  source: z.enum(['create', 'patch', 'rollback']),
  rolledBackFromRevisionId: id.nullable(),
  createdByAgentId: id.nullable(),
  createdByUserId: z.string().nullable(),
  createdAt: timestamp,
});

export const listConfigRevisionsQuery = z.strictObject(pageQuery());

export const adapterModel = z.object({ id: z.string(), label: z.string() });

export const adapter = z.object({
  type: z.string(),
  aliases: z.array(z.string()),
  label: z.string(),
  description: z.string(),
  configSchema: z.record(z.string(), z.unknown()),
  available: z.boolean().nullable(),
  reason: z.string(),
  lookedAt: timestamp.nullable(),
  models: z.array(adapterModel),
});

export interface OrgNode {
  id: string;
  name: string;
  role: string;
  title: string | null;
  status: (typeof AGENT_STATUSES)[number];
  reports: OrgNode[];
}
export const orgNode: z.ZodType<OrgNode> = z.lazy(() =>
  z.object({
    id,
    name: z.string(),
    role: z.string(),
    title: z.string().nullable(),
    status: z.enum(AGENT_STATUSES),
    reports: z.array(orgNode),
  }),
);

export type AgentView = z.infer<typeof agent>;
export type AgentDetailView = z.infer<typeof agentDetail>;
export type AgentWarning = z.infer<typeof agentWarning>;
export type SavedAgentView = z.infer<typeof savedAgent>;
export type CreateAgentBody = z.infer<typeof createAgentBody>;
export type CreateAgentKeyBody = z.infer<typeof createAgentKeyBody>;
export type UpdateAgentBody = z.infer<typeof updateAgentBody>;
export type RollbackAgentBody = z.infer<typeof rollbackAgentBody>;
export type AgentConfiguration = z.infer<typeof configuration>;
export type ConfigRevisionView = z.infer<typeof configRevision>;
export type AdapterView = z.infer<typeof adapter>;
export type AdapterModel = z.infer<typeof adapterModel>;

import { z } from 'zod';
import { company } from '../companies';
import { id } from '../primitives';
import { listedIssue } from '../work/issues';
import {
  listedActivity,
  listedAgent,
  listedApproval,
  listedGoal,
  listedProject,
  listedRoutine,
  listedRun,
} from '../work/listed';

const rowOf = <Type extends string, Row extends z.ZodType>(entityType: Type, row: Row) =>
  z.object({
    entityType: z.literal(entityType),
    entityId: id,
    row: row.nullable().describe('The row as its list returns it; null if it no longer exists'),
  });

export const changedAgent = listedAgent.omit({ adapterConfig: true, capabilities: true });

export const changedRow = z.discriminatedUnion('entityType', [
  rowOf('agent', changedAgent),
  rowOf('approval', listedApproval),
  rowOf('company', company),
  rowOf('goal', listedGoal),
  rowOf('heartbeat_run', listedRun),
  rowOf('issue', listedIssue),
  rowOf('project', listedProject),
  rowOf('routine', listedRoutine),
]);

const version = z
  .string()
  .describe(
    'Position of the stream; the rows contain all changes up to this position, and may contain later changes',
  );

/** Event `change`: the activity, if one was recorded, and the current rows that it changed. */
export const companyChange = z.object({
  version,
  activity: listedActivity
    .nullable()
    .describe('Null for changes without activity, such as the start of a run'),
  rows: z.array(changedRow),
});

/** Event `live`: all changes up to `version` have been sent. */
export const changesAreLive = z.object({ version });

export const RESET_REASONS = ['unknown_position', 'too_far_behind'] as const;

/**
 * Event `reset`: changes are missing, so the client must read everything again. The stream
 * continues from `version`.
 */
export const changesReset = z.object({ version, reason: z.enum(RESET_REASONS) });

export const changeEvents = { change: companyChange, live: changesAreLive, reset: changesReset };

export const streamChangesQuery = z.strictObject({
  after: z
    .string()
    .max(100)
    .optional()
    .describe(
      'The last event id that the caller received, for callers that cannot send Last-Event-ID; that header takes precedence',
    ),
});

export type ChangedRow = z.infer<typeof changedRow>;
export type ChangedEntityType = ChangedRow['entityType'];
export type ChangedAgentView = z.infer<typeof changedAgent>;
export type CompanyChange = z.infer<typeof companyChange>;
export type StreamChangesQuery = z.infer<typeof streamChangesQuery>;

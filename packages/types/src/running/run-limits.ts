import { z } from 'zod';
import { id, pageQuery, timestamp } from '../primitives';

export const limitKey = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9:._/-]{0,63}$/,
    'must have at most 64 characters, only lower-case letters, digits and : . _ / -, and begin with a letter or a digit',
  );

export const MAX_RUN_LIMITS = 100;

const maxRunning = z.int().min(1).max(10_000);
const isPaused = z.boolean().describe('If true, no further run with the key starts');

export const runLimit = z.object({
  id,
  companyId: id,
  key: z.string(),
  maxRunning,
  isPaused,
  running: z.int().min(0).describe('Number of running runs with the key'),
  createdAt: timestamp,
  updatedAt: timestamp,
});

export const createRunLimitBody = z.strictObject({
  key: limitKey,
  maxRunning,
  isPaused: isPaused.default(false),
});

export const updateRunLimitBody = z.strictObject({ maxRunning, isPaused }).partial();

export const listRunLimitsQuery = z.strictObject({ key: limitKey.optional(), ...pageQuery() });

export const blockingLimit = z
  .object({
    key: z.string(),
    maxRunning: z.int(),
    isPaused: z.boolean(),
    running: z.int(),
    heldBy: z
      .array(z.object({ runId: id, agentId: id, agentName: z.string() }))
      .describe('The 20 runs with the key that have run longest'),
  })
  .nullable()
  .describe('The limit that the run waits for; null unless `waitsFor` is `limit`');

export type RunLimitView = z.infer<typeof runLimit>;
export type CreateRunLimitBody = z.infer<typeof createRunLimitBody>;
export type UpdateRunLimitBody = z.infer<typeof updateRunLimitBody>;
export type ListRunLimitsQuery = z.infer<typeof listRunLimitsQuery>;

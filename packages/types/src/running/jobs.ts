import { z } from 'zod';

/** A job only names a row; the row contains the work and its state. */
export const JOBS = {
  'heartbeat-runs': z.strictObject({ runId: z.uuid() }),
  'mention-wakeups': z.strictObject({ wakeupId: z.uuid() }),
  'routine-firings': z.strictObject({ routineRunId: z.uuid() }),
} as const;

export type QueueName = keyof typeof JOBS;
export type JobPayload<Name extends QueueName> = z.infer<(typeof JOBS)[Name]>;

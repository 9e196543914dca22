import { wholeNumber } from '@switchyard/server';
import { z } from 'zod';

/** What one company, or one caller, may have of what all share. */
export const shareEnvironment = {
  MAX_EVENT_STREAMS: wholeNumber(1, 10_000)
    .default(500)
    .describe('open event streams of one process'),
  MAX_EVENT_STREAMS_PER_COMPANY: wholeNumber(1, 10_000)
    .default(100)
    .describe('open event streams of one company in one process'),
  MAX_EVENT_STREAMS_PER_CALLER: wholeNumber(1, 10_000)
    .default(20)
    .describe(
      'open event streams of one agent or person in one process; local mode has one caller, without this limit',
    ),
  MAX_RUNNING_RUNS_PER_COMPANY: wholeNumber(0, 100_000)
    .default(0)
    .describe(
      'runs of one company at once in all workers together; 0 is no limit beside its fair share of each worker: up to three quarters of its runs at once, less while others have some',
    ),
  COMPANY_STORAGE_BYTES: wholeNumber(0, Number.MAX_SAFE_INTEGER)
    .default(10_737_418_240)
    .describe('attachments and logos of one company together; 0 is no limit'),
};

const environment = z.object(shareEnvironment);
type ShareVariables = z.infer<typeof environment>;

export function eventStreamLimits(env: ShareVariables) {
  return {
    max: env.MAX_EVENT_STREAMS,
    maxPerCompany: env.MAX_EVENT_STREAMS_PER_COMPANY,
    maxPerCaller: env.MAX_EVENT_STREAMS_PER_CALLER,
  };
}

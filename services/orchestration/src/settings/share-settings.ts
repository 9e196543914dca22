import { wholeNumber } from '@switchyard/server';
import { z } from 'zod';

export const shareEnvironment = {
  MAX_EVENT_STREAMS: wholeNumber(1, 10_000)
    .default(2_000)
    .describe(
      'open event streams of one process; a fifth of them for one company, a twenty-fifth for one agent or person (in local mode the board has no limit of its own)',
    ),
  MAX_RUNNING_RUNS_PER_COMPANY: wholeNumber(0, 100_000)
    .default(0)
    .describe(
      'runs of one company at once in all workers together; 0 is no limit beside its fair share of each worker: up to three quarters of its runs at once, less while others have some',
    ),
  COMPANY_STORAGE_BYTES: wholeNumber(0, Number.MAX_SAFE_INTEGER)
    .default(10_737_418_240)
    .describe('attachments and logos of one company together; 0 is no limit'),
  COMPANY_TEXT_BYTES: wholeNumber(0, Number.MAX_SAFE_INTEGER)
    .default(4_294_967_296)
    .describe(
      'issues, comments, documents with their revisions, approvals, goals, projects, routines and configurations of agents of one company together; 0 is no limit',
    ),
};

const environment = z.object(shareEnvironment);
type ShareVariables = z.infer<typeof environment>;

export function eventStreamLimits(env: ShareVariables) {
  return {
    max: env.MAX_EVENT_STREAMS,
    maxPerCompany: Math.ceil(env.MAX_EVENT_STREAMS / 5),
    maxPerCaller: Math.ceil(env.MAX_EVENT_STREAMS / 25),
  };
}

import { wholeNumber } from '@switchyard/server';
import { z } from 'zod';

export const shareEnvironment = {
  MAX_EVENT_STREAMS: wholeNumber(1, 10_000)
    .default(2_000)
    .describe('event streams per process; a fifth per company, a twenty-fifth per agent or person'),
  MAX_RUNNING_RUNS_PER_COMPANY: wholeNumber(0, 100_000)
    .default(0)
    .describe('concurrent runs per company; 0: only its fair share of each worker and runner'),
  COMPANY_STORAGE_BYTES: wholeNumber(0, Number.MAX_SAFE_INTEGER)
    .default(10_737_418_240)
    .describe('attachments and logos per company; 0: no limit'),
  COMPANY_TEXT_BYTES: wholeNumber(0, Number.MAX_SAFE_INTEGER)
    .default(4_294_967_296)
    .describe(
      'texts per company, such as issues, comments and documents with revisions; 0: no limit',
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

import { wholeNumber } from '@switchyard/server';

export const shareEnvironment = {
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

export const EVENT_STREAM_LIMITS = { max: 2_000, maxPerCompany: 400, maxPerCaller: 80 };

import { refusedAnswers } from '@switchyard/server';
import type { ErrorCode } from '@switchyard/types';

/** Refusals as responses, with the header that every answer of this service has. */
export const refusals = (codes: Iterable<ErrorCode>) => refusedAnswers(codes, ACTING_AS);

const ACTING_AS = { 'X-Acting-As': { $ref: '#/components/headers/ActingAs' as const } };

import { refusedAnswers } from '@switchyard/server';
import type { ErrorCode } from '@switchyard/types';

export const refusals = (codes: Iterable<ErrorCode>) => refusedAnswers(codes, ACTING_AS);

const ACTING_AS = { 'X-Acting-As': { $ref: '#/components/headers/ActingAs' as const } };

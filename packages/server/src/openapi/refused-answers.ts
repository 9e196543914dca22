import { ERROR_CODES, type ErrorCode } from '@switchyard/types/error-codes';
import { z } from 'zod';
import type { ZodOpenApiResponseObject, ZodOpenApiResponsesObject } from 'zod-openapi';
import { ERROR_STATUS } from '../http/error-response';

const problem = z.object({
  path: z.array(z.union([z.string(), z.int()])),
  message: z.string(),
  code: z.string(),
});

const TEXT = { schema: { type: 'string' as const } };
type Headers = NonNullable<ZodOpenApiResponseObject['headers']>;

const HEADERS: Record<number, Headers> = {
  401: { 'WWW-Authenticate': TEXT },
  429: { 'Retry-After': { description: 'Seconds', schema: { type: 'integer' } } },
  503: { 'Retry-After': { description: 'Seconds', schema: { type: 'integer' } } },
};

const known = new Map<string, ZodOpenApiResponseObject>();

function refusedAnswer(
  status: number,
  codes: ErrorCode[],
  headers: Headers,
): ZodOpenApiResponseObject {
  const id = `${status}.${codes.join('.')}`;
  const key = [id, ...Object.keys(headers)].join();
  const answer = known.get(key) ?? {
    id,
    description: codes.join(', '),
    headers: {
      'X-Correlation-ID': { $ref: '#/components/headers/CorrelationId' },
      ...headers,
      ...HEADERS[status],
    },
    content: {
      'application/json': {
        schema: z.object({
          error: z.string().meta({ description: 'A message for people.' }),
          code: z.enum(codes).meta({ description: 'A code for programs.' }),
          details: codes.includes('validation_error')
            ? z.array(problem).optional()
            : z.unknown().optional(),
          requestId: z.string().meta({ description: 'Equals X-Correlation-ID.' }),
        }),
      },
    },
  };
  known.set(key, answer);
  return answer;
}

export function refusedAnswers(
  codes: Iterable<ErrorCode>,
  headers: Headers = {},
): ZodOpenApiResponsesObject {
  const wanted = new Set(codes);
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of ERROR_CODES.filter((one) => wanted.has(one))) {
    const status = ERROR_STATUS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const answers = [...byStatus].sort(([one], [other]) => one - other);
  return Object.fromEntries(
    answers.map(([status, its]) => [String(status), refusedAnswer(status, its, headers)]),
  );
}

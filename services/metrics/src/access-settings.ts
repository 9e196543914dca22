import { commaSeparated } from '@switchyard/server';
import { z } from 'zod';

const HOST_NAME = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,252})$/;

export const accessEnvironment = {
  METRICS_ALLOWED_HOSTS: commaSeparated
    .pipe(z.array(z.string().regex(HOST_NAME, 'must be host names without port')).max(50))
    .default(['metrics', 'switchyard-metrics'])
    .describe('allowed host names of the service, in addition to localhost and IP addresses'),
  METRICS_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{32,256}$/, 'must be 32 to 256 printable characters without spaces')
    .optional()
    .describe(
      'token that callers must send, as bearer or password; 32 to 256 characters; unset: none',
    ),
};

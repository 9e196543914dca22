import { EnvironmentError, SIGNING_KEY_RULE, signingKey } from '@switchyard/server';
import { z } from 'zod';

export interface Webhook {
  url: string;
  key: Buffer;
}

/**
 * Any address is allowed, because only the operator can set it, and no caller of the service can
 * read it.
 */
export const webhookEnvironment = {
  METRICS_WEBHOOK_URL: z
    .url({ protocol: /^https?$/ })
    .refine((url) => new URL(url).username === '' && new URL(url).password === '', {
      error: 'must not contain credentials',
    })
    .optional()
    .describe('receives confirmed regimes, grids out of range and failed components'),
  METRICS_WEBHOOK_SECRET: z
    .string()
    .refine((secret) => signingKey(secret) !== null, { error: SIGNING_KEY_RULE })
    .optional()
    .describe(
      '24 to 64 random bytes in base64 that sign webhook calls; required with METRICS_WEBHOOK_URL',
    ),
};

export function readWebhook({
  METRICS_WEBHOOK_URL: url,
  METRICS_WEBHOOK_SECRET: secret,
}: z.output<z.ZodObject<typeof webhookEnvironment>>): Webhook | null {
  const key = secret === undefined ? null : signingKey(secret);
  if (url !== undefined && key !== null) return { url, key };
  if (url === undefined && key === null) return null;
  throw new EnvironmentError(
    'The environment is not usable:\n  METRICS_WEBHOOK_URL and METRICS_WEBHOOK_SECRET must be set together',
  );
}

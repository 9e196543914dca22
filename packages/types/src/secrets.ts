import { z } from 'zod';
import { id, isStorableText, name, optionalText, pageQuery, timestamp } from './primitives';

/** Values are limited, because masking them in output costs time per byte. */
export const MAX_SECRET_BYTES = 8_192;

/** Omits the value, because no response contains it (spec, "Secret"). */
export const secret = z.object({
  id,
  companyId: id,
  name: z.string(),
  description: z.string().nullable(),
  latestVersion: z.int(),
  createdAt: timestamp,
  updatedAt: timestamp,
});

export const secretUser = z.object({
  kind: z.enum(['agent', 'workspace', 'run']),
  id,
  name: z.string(),
  agentId: id.nullable(),
  projectId: id.nullable(),
  fields: z.array(z.string()),
});

export const secretDetail = secret.extend({
  usedBy: z.array(secretUser),
  usedByCount: z.int(),
});

const TOO_LONG = `must not exceed ${MAX_SECRET_BYTES} bytes`;

const value = z
  .string()
  .min(1)
  .max(MAX_SECRET_BYTES, { error: TOO_LONG, abort: true })
  .refine(isStorableText, 'must not contain NUL characters or unpaired surrogates')
  .refine((text) => new TextEncoder().encode(text).length <= MAX_SECRET_BYTES, TOO_LONG);

const description = optionalText(2_000).nullable();

export const createSecretBody = z.strictObject({
  name,
  value,
  description: description.optional(),
});

export const updateSecretBody = z.strictObject({ name, value, description }).partial();

export const listSecretsQuery = z.strictObject(pageQuery());

export type SecretView = z.infer<typeof secret>;
export type SecretUser = z.infer<typeof secretUser>;
export type SecretDetailView = z.infer<typeof secretDetail>;
export type CreateSecretBody = z.infer<typeof createSecretBody>;
export type UpdateSecretBody = z.infer<typeof updateSecretBody>;

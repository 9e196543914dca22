import { z } from 'zod';

/** Every value is masked in the output, which costs time for each byte. */
const MAX_VALUE_CHARS = 8_192;
/** All values of one run together, literal and decrypted. */
export const MAX_ENVIRONMENT_BYTES = 65_536;

export const SECRET_REFERENCE = z.strictObject(
  {
    type: z.literal('secret_ref'),
    secretId: z.uuid(),
    version: z.union([z.literal('latest'), z.int().positive()]).default('latest'),
  },
  {
    error: ({ code }) =>
      code === 'invalid_type'
        ? 'must name a secret: { "type": "secret_ref", "secretId": "…" }'
        : undefined,
  },
);

const VARIABLE_NAME = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]{0,127}$/, 'must be a name of letters, digits and underscores')
  .refine((name) => !/^service_/i.test(name), 'names that begin with SERVICE_ are reserved');

/** A NUL can't be passed to a process, and spawn would throw on it. */
const LITERAL = z
  .string()
  .max(MAX_VALUE_CHARS)
  .refine((text) => !text.includes('\0'), 'must not contain NUL');

const VALUE = z.union([LITERAL, SECRET_REFERENCE]);

export type SecretReference = z.infer<typeof SECRET_REFERENCE>;
export type AgentEnvironment = Record<string, z.infer<typeof VALUE>>;

/**
 * Literal values or references to secrets (spec, "Secret reference inside adapterConfig env"). A literal is
 * configuration: masked in answers and output, but stored as it is, also in revisions. Only what a
 * reference names is stored as ciphertext.
 */
export const agentEnvironment = z
  .record(VARIABLE_NAME, VALUE)
  .refine((env) => Object.keys(env).length <= 200, 'at most 200 variables')
  .refine(
    (env) => bytesOf(literalsOf(env)) <= MAX_ENVIRONMENT_BYTES,
    `the values must have at most ${MAX_ENVIRONMENT_BYTES} bytes together`,
  );

type Variables = Record<string, string>;

export function bytesOf(variables: Variables): number {
  return Object.values(variables).reduce((sum, value) => sum + Buffer.byteLength(value), 0);
}

export function literalsOf(env: AgentEnvironment): Variables {
  const entries = Object.entries(env).filter(([, value]) => typeof value === 'string');
  return Object.fromEntries(entries) as Variables;
}

export function referencesOf(env: AgentEnvironment): Record<string, SecretReference> {
  const entries = Object.entries(env).filter(([, value]) => typeof value !== 'string');
  return Object.fromEntries(entries) as Record<string, SecretReference>;
}

import { z } from 'zod';

const MAX_VALUE_CHARS = 8_192;
/** Limit for all values of one run together, both literal and decrypted ones. */
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
  .refine(
    (name) => !/^service_/i.test(name),
    'must not begin with SERVICE_, because the server reserves these names',
  );

const LITERAL = z
  .string()
  .max(MAX_VALUE_CHARS)
  .refine((text) => !text.includes('\0'), 'must not contain NUL characters');

const VALUE = z.union([LITERAL, SECRET_REFERENCE]);

export type SecretReference = z.infer<typeof SECRET_REFERENCE>;
export type AgentEnvironment = Record<string, z.infer<typeof VALUE>>;

/**
 * Literal values or secret references (spec, "Secret reference inside adapterConfig env"). A
 * literal is stored in plain text. It is masked in responses, and also in output if the variable's
 * name looks like a credential.
 */
export const agentEnvironment = z
  .record(VARIABLE_NAME, VALUE)
  .refine((env) => Object.keys(env).length <= 200, 'must have at most 200 variables')
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

const CREDENTIAL_PART =
  /^(.*(key|token|secret|password|passwd|passphrase|credential)|(key|secret|credential)s)$/;
/**
 * Matches only at the end of a name, so that AUTH_MODE and PASS_THROUGH do not count as
 * credentials.
 */
const CREDENTIAL_END = /^(auth|authorization|bearer|cookie|dsn|jwt|pass|pat|pwd)$/;
const PLAIN_VALUE = /^(true|false|yes|no|on|off|null|none|enabled|disabled)$/i;
const URL_PASSWORD = /^[a-z][a-z0-9+.-]*:\/\/[^/@\s]*:([^/@\s]+)@/i;

export function credentialsOf(literals: Variables): string[] {
  return Object.entries(literals).flatMap(([name, value]) => {
    if (isCredentialName(name)) return PLAIN_VALUE.test(value) ? [] : [value];
    const password = URL_PASSWORD.exec(value)?.[1];
    return password === undefined ? [] : [value, password];
  });
}

function isCredentialName(name: string): boolean {
  const parts = name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split('_');
  const isWorkingDirectory = parts.length === 1 && parts[0] === 'pwd';
  return (
    parts.some((part) => CREDENTIAL_PART.test(part)) ||
    (CREDENTIAL_END.test(parts.at(-1) ?? '') && !isWorkingDirectory)
  );
}

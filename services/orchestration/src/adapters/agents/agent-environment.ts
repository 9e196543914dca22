import { z } from 'zod';

const SECRET_REFERENCE = z.strictObject({
  type: z.literal('secret_ref'),
  secretId: z.uuid(),
  version: z.union([z.literal('latest'), z.int().positive()]).default('latest'),
});

const VARIABLE_NAME = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]{0,127}$/, 'must be a name of letters, digits and underscores')
  .refine((name) => !/^service_/i.test(name), 'names that begin with SERVICE_ are reserved');

/** A NUL can't be passed to a process, and spawn would throw on it. */
const LITERAL = z
  .string()
  .max(32_768)
  .refine((text) => !text.includes('\0'), 'must not contain NUL');

/** Literal values or references to secrets (spec, "Secret reference inside adapterConfig env"). */
export const agentEnvironment = z
  .record(VARIABLE_NAME, z.union([LITERAL, SECRET_REFERENCE]))
  .refine((env) => Object.keys(env).length <= 200, 'at most 200 variables');

export type AgentEnvironment = z.infer<typeof agentEnvironment>;

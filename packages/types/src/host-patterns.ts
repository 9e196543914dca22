import { z } from 'zod';

const LABEL = '[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?';
const PATTERN = new RegExp(`^(?:\\*\\.)?${LABEL}(?:\\.${LABEL})*$`);
const MAX_PATTERNS = 200;

/** `*.example.org` matches every subdomain, but not `example.org`. */
export const hostPattern = z
  .string()
  .max(253)
  .regex(
    PATTERN,
    'must be a host such as example.org or *.example.org, in lower case, without scheme, port or path',
  );

export const egressAllowList = z
  .array(hostPattern)
  .max(MAX_PATTERNS)
  .refine((patterns) => new Set(patterns).size === patterns.length, 'must not contain a host twice')
  .describe(
    'Hosts that agents on runners may reach; null: any public host; empty: none. `*.example.org` includes every host below it',
  );

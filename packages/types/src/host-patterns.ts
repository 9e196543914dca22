import { z } from 'zod';

const LABEL = '[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?';
const PATTERN = new RegExp(`^(?:\\*\\.)?${LABEL}(?:\\.${LABEL})*$`);
const MAX_PATTERNS = 200;

/** `*.example.org` matches every host below it, but not itself. */
export const hostPattern = z
  .string()
  .max(253)
  .regex(
    PATTERN,
    'must be a host as example.org or *.example.org, in small letters, without scheme, port and path',
  );

export const egressAllowList = z
  .array(hostPattern)
  .max(MAX_PATTERNS)
  .refine((patterns) => new Set(patterns).size === patterns.length, 'must name each host once')
  .describe(
    'Hosts that agents run by a runner may reach; null for any public one, empty for none. `*.example.org` is every host below',
  );

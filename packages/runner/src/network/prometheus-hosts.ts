import { commaSeparated } from '@switchyard/server/environment';

export const prometheusHosts = commaSeparated
  .refine(
    (names) => names.every((name) => /^[a-z0-9_]([a-z0-9._-]{0,251}[a-z0-9_])?$/i.test(name)),
    'must be host names without scheme and port',
  )
  .default([])
  .describe('additional host names that Prometheus pages and probes accept');

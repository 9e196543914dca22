import { commaSeparated } from '@switchyard/server/environment';

/** Names by which the pages and probes without sign-in may be asked; a page of another site can be given a name that points here. */
export const prometheusHosts = commaSeparated
  .refine(
    (names) => names.every((name) => /^[a-z0-9_]([a-z0-9._-]{0,251}[a-z0-9_])?$/i.test(name)),
    'must be names of hosts, without scheme and port',
  )
  .default([])
  .describe(
    'names that Prometheus pages and the probes of workers and runners answer to, beside IP addresses and localhost',
  );

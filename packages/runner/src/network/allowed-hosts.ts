import { commaSeparated } from '@switchyard/server/environment';

const FORM = /^[^@/\s]+(?:@[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})?$/i;

export const allowedHosts = commaSeparated
  .refine(
    (entries) => entries.every((entry) => FORM.test(entry)),
    'must list host, host:port, or one of them with @ and the id of a company',
  )
  .default([]);

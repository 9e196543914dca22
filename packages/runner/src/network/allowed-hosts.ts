import { commaSeparated } from '@switchyard/server/environment';

const FORM = /^[^@/\s]+(?:@[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})?$/i;

export const allowedHosts = commaSeparated
  .refine(
    (entries) => entries.every((entry) => FORM.test(entry)),
    'each entry must be host or host:port, optionally followed by @ and the id of a company',
  )
  .default([]);

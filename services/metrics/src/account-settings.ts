import { z } from 'zod';

export const accountEnvironment = {
  METRICS_ACCOUNTS: z
    .string()
    .optional()
    .describe(
      'JSON file of several accounts, each with its exchange, key files and symbols; EXCHANGE_* and METRICS_SYMBOLS are not read then',
    ),
};

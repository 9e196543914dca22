import { z } from 'zod';

export const accountEnvironment = {
  METRICS_ACCOUNTS: z
    .string()
    .optional()
    .describe('JSON file of several accounts; replaces EXCHANGE_* and METRICS_SYMBOLS'),
};

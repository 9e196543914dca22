import { z } from 'zod';

const MAX_LABELS = 32;

export const runnerLabel = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9._/-]{0,62}$/,
    'must have 1 to 63 of the characters a-z, 0-9, ".", "_", "/" and "-", beginning with a letter or digit',
  );
export const runnerLabels = z
  .array(runnerLabel)
  .max(MAX_LABELS)
  .transform((labels) => [...new Set(labels)]);

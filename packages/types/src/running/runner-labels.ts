import { z } from 'zod';

const MAX_LABELS = 32;

export const runnerLabel = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9._/-]{0,62}$/,
    'must be 1 to 63 of a-z, 0-9, ".", "_", "/" and "-", first a letter or a digit',
  );
export const runnerLabels = z
  .array(runnerLabel)
  .max(MAX_LABELS)
  .transform((labels) => [...new Set(labels)]);

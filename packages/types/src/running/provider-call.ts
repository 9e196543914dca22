import { z } from 'zod';
import { text } from '../primitives';

export const providerCall = z
  .strictObject({
    server: text(300),
    durationMs: z.int().min(0).max(2_147_483_647),
    failure: z
      .strictObject({
        provider: text(500),
        model: text(500).nullable(),
        type: z.string().regex(/^\w{1,64}$/, 'must be an error type'),
      })
      .optional()
      .describe('Set for a failed call; `type`: an HTTP status, a network error or a budget'),
  })
  .optional()
  .describe("The request to the provider: its host and its time so far, for the run's trace");

import { wholeNumber } from '@switchyard/server';
import { z } from 'zod';

export const runnerEnvironment = {
  RUNNER_TOKEN: z
    .string()
    .min(32, 'must have at least 32 characters')
    .max(200, 'must have at most 200 characters')
    .regex(/^\S+$/, 'must have no white space')
    .optional()
    .describe(
      "token of the installation's runners, for workers and runners; at least 32 characters",
    ),
  RUNNER_TOKEN_OLD: z
    .string()
    .min(32, 'must have at least 32 characters')
    .max(200, 'must have at most 200 characters')
    .regex(/^\S+$/, 'must have no white space')
    .optional()
    .describe('worker: the previous RUNNER_TOKEN, still accepted'),
  RUN_LEASE_SEC: wholeNumber(3, 3_600)
    .default(30)
    .describe('seconds after which a silent runner loses its runs'),
};

const environment = z.object(runnerEnvironment);

export interface RunnerSettings {
  token: string | null;
  oldToken: string | null;
  leaseMs: number;
}

export function runnerSettings(env: z.infer<typeof environment>): RunnerSettings {
  return {
    token: env.RUNNER_TOKEN ?? null,
    oldToken: env.RUNNER_TOKEN_OLD ?? null,
    leaseMs: env.RUN_LEASE_SEC * 1000,
  };
}

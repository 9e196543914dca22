import { runnerProgramEnvironment } from '@switchyard/runner/runner-settings';
import { wholeNumber } from '@switchyard/server';
import { z } from 'zod';

export const podEnvironment = {
  RUN_POD_NAMESPACE: z
    .string()
    .regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/, 'must be the name of a namespace')
    .optional()
    .describe('namespace of run pods and nothing else; starts each run in its own pod'),
  RUN_POD_LIMIT: wholeNumber(1, 10_000)
    .default(100)
    .describe('maximum number of concurrent run pods; several workers may exceed it slightly'),
  RUN_POD_START_SEC: wholeNumber(3, 3_600)
    .default(300)
    .describe('maximum seconds for the start of a run pod'),
  RUN_POD_ACCOUNT_DIR: z
    .string()
    .default('/var/run/secrets/kubernetes.io/serviceaccount')
    .describe('folder with `token` and `ca.crt` of the service account that creates run pods'),
  KUBERNETES_SERVICE_HOST: z.string().optional(),
  KUBERNETES_SERVICE_PORT: z
    .string()
    .regex(/^\d{1,5}$/, 'must be a port number')
    .optional(),
};

const TEMPLATE = 'switchyard-run';
const INSTANCE = 'switchyard';

const environment = z.object({
  ...podEnvironment,
  RUNNER_LABELS: runnerProgramEnvironment.RUNNER_LABELS,
});

export interface PodSettings {
  template: string;
  instance: string;
  labels: string[];
  limit: number;
  startMs: number;
  cluster: { url: string; credentials: string; namespace: string };
}

export function podSettings(env: z.infer<typeof environment>): PodSettings | null {
  const { RUN_POD_NAMESPACE: namespace, KUBERNETES_SERVICE_HOST: name = 'kubernetes.default.svc' } =
    env;
  if (namespace === undefined) return null;
  const host = name.includes(':') ? `[${name}]` : name;
  return {
    template: TEMPLATE,
    instance: INSTANCE,
    labels: env.RUNNER_LABELS,
    limit: env.RUN_POD_LIMIT,
    startMs: env.RUN_POD_START_SEC * 1_000,
    cluster: {
      url: `https://${host}:${env.KUBERNETES_SERVICE_PORT ?? '443'}`,
      credentials: env.RUN_POD_ACCOUNT_DIR,
      namespace,
    },
  };
}

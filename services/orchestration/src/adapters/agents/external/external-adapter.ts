import { z } from 'zod';
import type { AgentAdapter } from '../agent-adapter';

export const externalConfig = z.strictObject({
  description: z.string().max(500).optional(),
  /** From the fetch to the finish. */
  timeoutSec: z.number().min(1).max(86_400).default(3_600),
});

export type ExternalConfig = z.infer<typeof externalConfig>;

/** Nothing starts or calls the agent: wakes wait until it fetches them. */
export function createExternalAdapter(): AgentAdapter<ExternalConfig> {
  return {
    type: 'external',
    label: 'External',
    description: 'Starts nothing; the agent works elsewhere and fetches its wakes with an API key.',
    configSchema: externalConfig,
    isRemote: true,
    check: async () => [
      {
        level: 'ok',
        code: 'wakes_wait',
        message: 'its wakes wait until it fetches them: GET /api/agents/me/wakes with an API key',
      },
    ],
    // Only reached by a run that another adapter began and whose worker was lost.
    run: async () => ({
      status: 'failed',
      exitCode: null,
      errorCode: 'adapter_changed',
      error: 'the adapter of the agent was changed to external while the run was going on',
      transient: true,
    }),
  };
}

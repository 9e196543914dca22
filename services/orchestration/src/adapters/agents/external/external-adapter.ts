import type { AgentAdapter } from '@switchyard/runner/agents/agent-adapter';
import { z } from 'zod';

export const externalConfig = z.strictObject({
  description: z.string().max(500).optional(),
  timeoutSec: z.number().min(1).max(86_400).default(3_600),
});

export type ExternalConfig = z.infer<typeof externalConfig>;

export function createExternalAdapter(): AgentAdapter<ExternalConfig> {
  return {
    type: 'external',
    label: 'External',
    description:
      'Starts no program; the agent works elsewhere and fetches its wakes with an API key.',
    configSchema: externalConfig,
    isRemote: true,
    check: async () => [
      {
        level: 'ok',
        code: 'wakes_wait',
        message:
          'wakes wait until the agent fetches them with an API key: GET /api/agents/me/wakes',
      },
    ],
    // This is only called for a run that another adapter started and whose worker has been lost.
    run: async () => ({
      status: 'failed',
      exitCode: null,
      errorCode: 'adapter_changed',
      error: 'the agent’s adapter was changed to external during the run',
      transient: true,
    }),
  };
}

import type {
  AdapterOutcome,
  AdapterRun,
  AgentAdapter,
} from '@switchyard/runner/agents/agent-adapter';
import { z } from 'zod';

export type Script = (run: AdapterRun<unknown>) => Promise<AdapterOutcome> | AdapterOutcome;

export const SUCCEEDED: AdapterOutcome = { status: 'succeeded', exitCode: 0 };

export function createScriptedAdapter() {
  const scripts = new Map<string, Script>();
  const adapter: AgentAdapter = {
    type: 'scripted',
    configSchema: z.looseObject({}),
    run: async (run) => (scripts.get(run.agentId) ?? scripts.get('*') ?? (() => SUCCEEDED))(run),
  };
  return {
    adapter,
    on: (agentId: string, script: Script) => {
      scripts.set(agentId, script);
    },
  };
}

export function untilAborted(run: AdapterRun<unknown>): Promise<AdapterOutcome> {
  return new Promise((resolve) => {
    const end = () => resolve({ status: 'aborted', exitCode: null });
    if (run.signal.aborted) end();
    run.signal.addEventListener('abort', end, { once: true });
  });
}

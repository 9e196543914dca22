import type { AdapterDefinition } from '../agent-adapter';
import type { AllowedVariables } from '../environment/agent-variables';
import type { CodingAgentConfig } from './coding-agent-config';
import type { CodingTool } from './coding-tool';
import { findMissingKey } from './find-missing-key';

export interface CodingAgentRules {
  allowedVariables: AllowedVariables;
  /** In authenticated mode each agent has a HOME of its own, and so no sign-in of the operator's. */
  hasOwnHome: boolean;
}

/** What the API knows of the agents of a tool; `createCodingAgentAdapter` runs them. */
export function defineCodingAgent(
  tool: CodingTool,
  { allowedVariables, hasOwnHome }: CodingAgentRules,
): AdapterDefinition<CodingAgentConfig> {
  return {
    type: tool.adapterType,
    label: tool.name,
    description: `Runs ${tool.name} on a runner, with a prompt of the agent, the issue and what woke it.`,
    startsProcesses: true,
    hasPrompt: true,
    keepsSessions: true,
    configSchema: tool.configSchema,
    allowedVariables,
    warnings(config) {
      const missing = findMissingKey(tool, config, { hasOwnHome });
      return missing ? [missing] : [];
    },
  };
}

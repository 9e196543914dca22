import type { AdapterDefinition } from '../agent-adapter';
import type { AllowedVariables } from '../environment/agent-variables';
import type { CodingAgentConfig } from './coding-agent-config';
import type { CodingTool } from './coding-tool';
import { findMissingKey } from './find-missing-key';

export interface CodingAgentRules {
  allowedVariables: AllowedVariables;
  hasOwnHome: boolean;
}

export function defineCodingAgent(
  tool: CodingTool,
  { allowedVariables, hasOwnHome }: CodingAgentRules,
): AdapterDefinition<CodingAgentConfig> {
  return {
    type: tool.adapterType,
    label: tool.name,
    description: `Runs ${tool.name} on a runner, with a prompt about the agent, the issue and the wakes.`,
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

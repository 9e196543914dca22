import type { AdapterDefinition } from '../agent-adapter';
import type { AllowedVariables } from '../environment/agent-variables';
import { isBundled } from './bundled-agent';
import { type ProcessConfig, processConfig } from './process-config';

export interface ProcessRules {
  /** `any` in local trusted mode, else PROCESS_ADAPTER_COMMANDS, compared exactly. */
  allowedCommands: string[] | 'any';
  allowedVariables: AllowedVariables;
}

const SETTING = 'PROCESS_ADAPTER_COMMANDS';

/** What the API knows of `process` agents; `createProcessAdapter` runs them. */
export function defineProcessAdapter(rules: ProcessRules): AdapterDefinition<ProcessConfig> {
  return {
    type: 'process',
    label: 'Command',
    description: 'Runs a command on a runner, with what the run is about in its environment.',
    startsProcesses: true,
    configSchema: processConfig,
    allowedVariables: rules.allowedVariables,
    warnings(config) {
      const message = refuseCommand(rules.allowedCommands, config);
      return message === null ? [] : [{ code: 'command_not_allowed', message, setting: SETTING }];
    },
  };
}

/** Why a command may not be run, or null. */
export function refuseCommand(
  allowed: ProcessRules['allowedCommands'],
  { command }: { command: string },
): string | null {
  if (allowed === 'any' || isBundled({ command }) || allowed.includes(command)) return null;
  return `${command} is not in ${SETTING}, where the operator lists programs, never an interpreter such as python3`;
}

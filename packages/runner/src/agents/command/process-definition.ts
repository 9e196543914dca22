import type { AdapterDefinition } from '../agent-adapter';
import type { AllowedVariables } from '../environment/agent-variables';
import { type AllowedCommands, COMMANDS_SETTING, refuseCommand } from './allowed-commands';
import { type ProcessConfig, processConfig } from './process-config';

export interface ProcessRules {
  allowedCommands: AllowedCommands;
  allowedVariables: AllowedVariables;
}

export function defineProcessAdapter(rules: ProcessRules): AdapterDefinition<ProcessConfig> {
  return {
    type: 'process',
    label: 'Command',
    description: 'Runs a command on a runner and describes the run in environment variables.',
    startsProcesses: true,
    configSchema: processConfig,
    allowedVariables: rules.allowedVariables,
    warnings(config) {
      const message = refuseCommand(rules.allowedCommands, config);
      return message === null
        ? []
        : [{ code: 'command_not_allowed', message, setting: COMMANDS_SETTING }];
    },
  };
}

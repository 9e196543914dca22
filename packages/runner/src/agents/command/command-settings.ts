import { isAbsolute } from 'node:path';
import { commaSeparated } from '@switchyard/server/environment';

export const commandEnvironment = {
  PROCESS_ADAPTER_COMMANDS: commaSeparated
    .default([])
    .refine(
      (commands) => commands.every((command) => isAbsolute(command) || !command.includes('/')),
      'must list absolute paths or bare names: a relative path would depend on the agent’s working directory',
    )
    .describe('commands that `process` agents may run in authenticated mode; never an interpreter'),
};

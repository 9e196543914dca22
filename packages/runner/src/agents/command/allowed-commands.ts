import { isBundled } from './bundled-agent';

export type AllowedCommands = string[] | 'any';

export const COMMANDS_SETTING = 'PROCESS_ADAPTER_COMMANDS';

export function refuseCommand(
  allowed: AllowedCommands,
  { command }: { command: string },
): string | null {
  if (allowed === 'any' || isBundled({ command }) || allowed.includes(command)) return null;
  return `${command} must be in ${COMMANDS_SETTING}; the operator lists programs there, but never an interpreter such as python3`;
}

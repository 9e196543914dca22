import { findExecutable } from '../command/find-executable';
import type { CodingTool, ToolCommands } from './coding-tool';

type CodingProgram = Pick<CodingTool, 'adapterType' | 'name' | 'variable' | 'command'>;

export const CLAUDE_CODE_PROGRAM = {
  adapterType: 'model_a_local',
  name: 'Claude Code',
  variable: 'CLAUDE_CODE_COMMAND',
  command: (settings: ToolCommands) => settings.claudeCode.command,
} satisfies CodingProgram;

export const CODEX_PROGRAM = {
  adapterType: 'model_b_local',
  name: 'Codex',
  variable: 'CODEX_COMMAND',
  command: (settings: ToolCommands) => settings.codex.command,
} satisfies CodingProgram;

export const OPENCODE_PROGRAM = {
  adapterType: 'model_c_local',
  name: 'OpenCode',
  variable: 'OPENCODE_COMMAND',
  command: (settings: ToolCommands) => settings.openCode.command,
} satisfies CodingProgram;

export function findProgram(
  { name, variable, command }: CodingProgram,
  settings: ToolCommands,
  path: string | undefined,
): { found: boolean; message: string } {
  const found = findExecutable(command(settings), path, '/') !== null;
  const state = found ? 'was found' : 'was not found';
  return { found, message: `the ${name} executable (${variable}) ${state}` };
}

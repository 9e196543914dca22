import { commaSeparated } from '@switchyard/server/environment';
import { z } from 'zod';

export interface SharedEntry {
  path: string;
  isReadOnly: boolean;
  adapterType: string | null;
}

/**
 * Sign-ins and settings of coding agents. Contains no whole folders: an agent with write access to
 * `.claude` could run programs in the operator's sessions.
 */
const SIGN_INS: [string, string | null][] = [
  ['.claude/.credentials.json', 'model_a_local'],
  ['.claude/settings.json:ro', 'model_a_local'],
  ['.codex/auth.json', 'model_b_local'],
  ['.codex/config.toml:ro', 'model_b_local'],
  ['.local/share/opencode/auth.json', 'model_c_local'],
  ['.config/opencode:ro', 'model_c_local'],
  ['.gitconfig:ro', null],
];

export const agentHomeEnvironment = {
  AGENT_HOME_FOLDERS: commaSeparated
    .refine(
      (entries) => entries.every(isEntry),
      'must list paths below HOME, such as .codex/auth.json, or .gitconfig:ro for read-only access',
    )
    .optional()
    .describe(
      'files and folders of your HOME that agents see in local mode, `:ro` for read-only; default: sign-in files of coding tools',
    ),
};

export const authenticatedAgentHomeEnvironment = {
  AGENT_HOME_FOLDERS: agentHomeEnvironment.AGENT_HOME_FOLDERS.refine(
    (entries) => entries === undefined || entries.length === 0,
    'is only valid in local trusted mode, because agents of several companies would share one sign-in',
  ),
};

const schema = z.object(agentHomeEnvironment);

export function agentHomeSettings(
  { AGENT_HOME_FOLDERS: listed }: z.output<typeof schema>,
  isAuthenticated: boolean,
): SharedEntry[] {
  if (isAuthenticated) return [];
  const entries = listed?.map((entry) => [entry, null] as const) ?? SIGN_INS;
  return entries.map(([entry, adapterType]) => ({
    path: entry.replace(/:(ro|rw)$/, ''),
    isReadOnly: entry.endsWith(':ro'),
    adapterType,
  }));
}

function isEntry(entry: string): boolean {
  const path = entry.replace(/:(ro|rw)$/, '');
  const parts = path.split('/');
  return parts.every((part) => part !== '' && part !== '.' && part !== '..');
}

import { commaSeparated } from '@switchyard/server/environment';
import { z } from 'zod';

/** One file or folder of the operator's HOME that agents find in theirs. */
export interface SharedEntry {
  /** Relative to HOME. */
  path: string;
  isReadOnly: boolean;
}

/**
 * Where the coding agents keep their sign-ins, which they renew, and what the operator has set for them. Not their whole
 * folders: who may write `.claude` can have a program run in the operator's own sessions.
 */
const SIGN_INS = [
  '.claude/.credentials.json',
  '.claude/settings.json:ro',
  '.codex/auth.json',
  '.codex/config.toml:ro',
  '.local/share/opencode/auth.json',
  '.config/opencode:ro',
  '.gitconfig:ro',
];

/** What the operator shares of the HOME of its own, in local trusted mode. */
export const agentHomeEnvironment = {
  AGENT_HOME_FOLDERS: commaSeparated
    .refine(
      (entries) => entries.every(isEntry),
      'must list paths below HOME, as .codex/auth.json or, to be read only, .gitconfig:ro',
    )
    .optional()
    .describe(
      'files and folders of your HOME that agents find in theirs in local trusted mode, with `:ro` read-only; without it the sign-ins and settings of the coding tools. Nothing else of your HOME is open to them',
    ),
};

/** In authenticated mode nothing of the operator's is shared. */
export const authenticatedAgentHomeEnvironment = {
  AGENT_HOME_FOLDERS: agentHomeEnvironment.AGENT_HOME_FOLDERS.refine(
    (entries) => entries === undefined || entries.length === 0,
    'is for local trusted mode: here agents of several companies would share one sign-in',
  ),
};

const schema = z.object(agentHomeEnvironment);

export function agentHomeSettings(
  { AGENT_HOME_FOLDERS: listed }: z.output<typeof schema>,
  isAuthenticated: boolean,
): SharedEntry[] {
  if (isAuthenticated) return [];
  return (listed ?? SIGN_INS).map((entry) => ({
    path: entry.replace(/:(ro|rw)$/, ''),
    isReadOnly: entry.endsWith(':ro'),
  }));
}

function isEntry(entry: string): boolean {
  const path = entry.replace(/:(ro|rw)$/, '');
  const parts = path.split('/');
  return parts.every((part) => part !== '' && part !== '.' && part !== '..');
}

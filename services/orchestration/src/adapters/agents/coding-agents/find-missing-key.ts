import type { AgentWarning } from '@switchyard/types';
import type { CodingAgentConfig } from './coding-agent-config';
import type { CodingTool } from './coding-tool';

/** Warns that runs depend on a sign-in, which only a run can verify; null if `env` has a key. */
export function findMissingKey(
  { name, keys }: CodingTool,
  { env = {} }: CodingAgentConfig,
  { hasOwnHome }: { hasOwnHome: boolean },
): AgentWarning | null {
  if (Object.keys(env).some((variable) => keys.names.test(variable))) return null;
  const whose = hasOwnHome ? 'the agent, in its own HOME,' : "the runner's user";
  const message = `no key in env (such as ${keys.usual}), and the shell's are not passed on; sign-in unknown: ${whose} must be signed in to ${name}`;
  return { code: 'no_key', message };
}

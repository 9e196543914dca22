import type { AgentWarning } from '@switchyard/types';
import type { CodingAgentConfig } from './coding-agent-config';
import type { CodingTool } from './coding-tool';

/**
 * Warns if `env` contains no key: the runs then depend on a sign-in, which only a run can check.
 * Otherwise returns null.
 */
export function findMissingKey(
  { name, keys }: CodingTool,
  { env = {} }: CodingAgentConfig,
  { hasOwnHome }: { hasOwnHome: boolean },
): AgentWarning | null {
  if (Object.keys(env).some((variable) => keys.names.test(variable))) return null;
  const whose = hasOwnHome ? 'the agent, in its own HOME,' : "the runner's user";
  const message = `env must contain a key such as ${keys.usual}, or ${whose} must be signed in to ${name}. Only a run can check the sign-in. Keys in the runner's environment are not passed on.`;
  return { code: 'no_key', message };
}

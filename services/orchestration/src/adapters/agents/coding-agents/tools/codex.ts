import { codexConfig, findSandboxArgument } from '../coding-agent-config';
import { CODEX_PROGRAM } from '../coding-programs';
import type { CodingTool, ToolRequest } from '../coding-tool';
import { createCodexReader } from '../streams/read-codex-stream';

/**
 * Codex in exec mode. Where no sandbox of ours is around it, its own lets commands write below the working directory and
 * the temporary folder only; the network is open because the API is behind it, and the run's variables reach the
 * commands because its token is one. Options stand before `resume`, which takes fewer of them.
 */
export const CODEX: CodingTool = {
  ...CODEX_PROGRAM,
  keys: { names: /_(API_KEY|TOKEN)$/, usual: 'CODEX_API_KEY' },
  configSchema: codexConfig,
  environment: () => ({}),
  provider: () => 'openai',
  buildArguments: (request) => [
    'exec',
    '--json',
    '--skip-git-repo-check',
    ...sandboxOf(request),
    '-c',
    'shell_environment_policy.inherit="all"',
    '-c',
    'shell_environment_policy.ignore_default_excludes=true',
    ...providerOf(request),
    ...toolsOf(request),
    ...(request.model ? [`--model=${request.model}`] : []),
    ...request.extraArgs,
    ...(request.sessionId ? ['resume', request.sessionId] : []),
    '-',
  ],
  createReader: createCodexReader,
};

/** Codex reads no address from its environment, and its built-in provider would sign in and want a WebSocket. */
function providerOf({ provided: { OPENAI_BASE_URL: url } }: ToolRequest): string[] {
  if (url === undefined) return [];
  const provider = `{name="gateway",base_url=${JSON.stringify(url)},wire_api="responses",env_key="OPENAI_API_KEY"}`;
  return ['-c', 'model_provider="gateway"', '-c', `model_providers.gateway=${provider}`];
}

/** Codex reads the token from the variable that is named to it. */
function toolsOf({ mcpUrl }: ToolRequest): string[] {
  if (mcpUrl === null) return [];
  const server = `{url=${JSON.stringify(mcpUrl)},bearer_token_env_var="SERVICE_API_KEY"}`;
  return ['-c', `mcp_servers.switchyard=${server}`];
}

function sandboxOf({ sandbox, isSandboxed, extraArgs }: ToolRequest): string[] {
  if (findSandboxArgument(extraArgs) !== undefined) return NETWORK;
  const mode = sandbox ?? (isSandboxed ? 'danger-full-access' : 'workspace-write');
  return [`--sandbox=${mode}`, ...(mode === 'workspace-write' ? NETWORK : [])];
}

const NETWORK = ['-c', 'sandbox_workspace_write.network_access=true'];

import { codexConfig, findSandboxArgument } from '../coding-agent-config';
import { CODEX_PROGRAM } from '../coding-programs';
import type { CodingTool, ToolRequest } from '../coding-tool';
import { createCodexReader } from '../streams/read-codex-stream';

/**
 * Outside the runner's sandbox, Codex's own sandbox limits writes to the working and temporary
 * folders. Network access is enabled for the API. Commands inherit the run's variables, which
 * include the token.
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
    ...tracesOf(request),
    ...(request.model ? [`--model=${request.model}`] : []),
    ...request.extraArgs,
    ...(request.sessionId ? ['resume', request.sessionId] : []),
    '-',
  ],
  createReader: createCodexReader,
};

/**
 * Configures a provider, because Codex reads no URL from its environment, and its built-in provider
 * would require a sign-in and a WebSocket.
 */
function providerOf({ provided: { OPENAI_BASE_URL: url } }: ToolRequest): string[] {
  if (url === undefined) return [];
  const provider = `{name="gateway",base_url=${JSON.stringify(url)},wire_api="responses",env_key="OPENAI_API_KEY"}`;
  return ['-c', 'model_provider="gateway"', '-c', `model_providers.gateway=${provider}`];
}

function toolsOf({ mcpUrl }: ToolRequest): string[] {
  if (mcpUrl === null) return [];
  const server = `{url=${JSON.stringify(mcpUrl)},bearer_token_env_var="SERVICE_API_KEY"}`;
  return ['-c', `mcp_servers.switchyard=${server}`];
}

/** Codex reads the headers of exports from the environment, but not the address. */
function tracesOf({ provided: { OTEL_EXPORTER_OTLP_ENDPOINT: url } }: ToolRequest): string[] {
  if (url === undefined) return [];
  const collector = `{endpoint=${JSON.stringify(`${url}/v1/traces`)},protocol="json"}`;
  return ['-c', `otel.trace_exporter={otlp-http=${collector}}`];
}

function sandboxOf({ sandbox, isSandboxed, extraArgs }: ToolRequest): string[] {
  if (findSandboxArgument(extraArgs) !== undefined) return NETWORK;
  const mode = sandbox ?? (isSandboxed ? 'danger-full-access' : 'workspace-write');
  return [`--sandbox=${mode}`, ...(mode === 'workspace-write' ? NETWORK : [])];
}

const NETWORK = ['-c', 'sandbox_workspace_write.network_access=true'];

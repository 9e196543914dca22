import { codingAgentConfig } from '../coding-agent-config';
import { CLAUDE_CODE_PROGRAM } from '../coding-programs';
import type { CodingTool } from '../coding-tool';
import { createClaudeReader } from '../streams/read-claude-stream';

const ALLOWED = 'Bash,Edit,Write,NotebookEdit,WebFetch,WebSearch,mcp__switchyard';

/**
 * Does not use `bypassPermissions`, because Claude Code does not allow it for root, and because it
 * would override the user's own deny rules.
 */
export const CLAUDE_CODE: CodingTool = {
  ...CLAUDE_CODE_PROGRAM,
  keys: {
    names:
      /^(ANTHROPIC_(API_KEY|AUTH_TOKEN)|AWS_BEARER_TOKEN_BEDROCK|CLAUDE_CODE_(OAUTH_TOKEN|USE_[A-Z]+))$/,
    usual: 'ANTHROPIC_API_KEY',
  },
  configSchema: codingAgentConfig,
  environment: () => ({ DISABLE_AUTOUPDATER: '1', MCP_CONNECT_TIMEOUT_MS: '60000' }),
  provider: () => 'anthropic',
  buildArguments: ({ model, sessionId, extraArgs, isSandboxed, mcpUrl }) => [
    '-p',
    '--output-format=stream-json',
    '--verbose',
    `--allowedTools=${ALLOWED}`,
    '--permission-mode=acceptEdits',
    // A user setting may enable the tool's own sandbox, which cannot start inside the runner's.
    ...(isSandboxed && !extraArgs.some(isSettings) ? [`--settings=${UNSANDBOXED}`] : []),
    ...(mcpUrl === null ? [] : [`--mcp-config=${TOOLS}`, '--strict-mcp-config']),
    ...(model ? [`--model=${model}`] : []),
    ...(sessionId ? [`--resume=${sessionId}`] : []),
    ...extraArgs,
  ],
  createReader: createClaudeReader,
};

const placeholder = (name: string) => `\${${name}}`;

/**
 * Claude Code inserts the variables itself, so that no argument contains the token. The user's own
 * MCP servers are not started.
 */
const TOOLS = JSON.stringify({
  mcpServers: {
    switchyard: {
      type: 'http',
      url: `${placeholder('SERVICE_API_URL')}/mcp`,
      headers: { Authorization: `Bearer ${placeholder('SERVICE_API_KEY')}` },
      // Without this option a turn may begin before the tools are available.
      alwaysLoad: true,
    },
  },
});

const UNSANDBOXED = JSON.stringify({ sandbox: { enabled: false } });
const isSettings = (argument: string) => /^--settings(=|$)/.test(argument);

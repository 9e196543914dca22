import type { CodingTool, ToolRequest } from '../coding-tool';
import { CLAUDE_CODE } from './claude-code';
import { CODEX } from './codex';
import { OPENCODE } from './opencode';

const URL_OF_TOOLS = 'http://127.0.0.1:3128/mcp';
const argumentsOf = (tool: CodingTool, change: Partial<ToolRequest> = {}) =>
  tool.buildArguments({
    model: undefined,
    sessionId: null,
    extraArgs: [],
    sandbox: undefined,
    isSandboxed: true,
    provided: {},
    mcpUrl: URL_OF_TOOLS,
    runId: 'run',
    ...change,
  });

describe('buildArguments() with an MCP server', () => {
  it('passes variable names instead of values to Claude Code', () => {
    const args = argumentsOf(CLAUDE_CODE);
    const config = args.find((one) => one.startsWith('--mcp-config='))?.slice(13) ?? '';
    expect(JSON.parse(config).mcpServers.switchyard).toEqual({
      type: 'http',
      url: '$'.concat('{SERVICE_API_URL}/mcp'),
      headers: { Authorization: 'Bearer $'.concat('{SERVICE_API_KEY}') },
      alwaysLoad: true,
    });
    expect(args).toContain('--strict-mcp-config');
    expect(args.find((one) => one.startsWith('--allowedTools='))).toMatch(/,mcp__switchyard$/);
    expect(argumentsOf(CLAUDE_CODE, { mcpUrl: null }).join(' ')).not.toContain('mcp-config');
  });

  it('passes the server’s address and the name of the token variable to Codex', () => {
    expect(argumentsOf(CODEX)).toContain(
      `mcp_servers.switchyard={url="${URL_OF_TOOLS}",bearer_token_env_var="SERVICE_API_KEY"}`,
    );
    expect(argumentsOf(CODEX, { mcpUrl: null }).join(' ')).not.toContain('mcp_servers');
  });

  it('passes the server to OpenCode in OPENCODE_CONFIG_CONTENT, even if the agent sets that variable', () => {
    const tools = (text = '{}') => JSON.parse(text).mcp?.switchyard?.url;
    expect(tools(OPENCODE.environment({}).OPENCODE_CONFIG_CONTENT)).toBe(
      '{env:SERVICE_API_URL}/mcp',
    );
    const merged = (own: string) => OPENCODE.merge?.({ OPENCODE_CONFIG_CONTENT: own }) ?? {};
    const { OPENCODE_CONFIG_CONTENT: text = '' } = merged('{"mcp":{"other":{}},"theme":"x"}');
    expect(JSON.parse(text)).toMatchObject({ theme: 'x', mcp: { other: {} } });
    expect(tools(text)).toBe('{env:SERVICE_API_URL}/mcp');
    expect(tools(merged('{"mcp":{"switchyard":{"url":"own"}}}').OPENCODE_CONFIG_CONTENT)).toBe(
      'own',
    );
    for (const odd of ['// a comment\n{}', '[]', 'null', '1']) expect(merged(odd)).toEqual({});
    expect(OPENCODE.merge?.({})).toEqual({});
  });
});

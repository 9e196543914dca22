import type { CodingTool, ToolRequest } from '../coding-tool';
import { CLAUDE_CODE } from './claude-code';
import { CODEX } from './codex';
import { OPENCODE } from './opencode';

const PROVIDED = {
  ANTHROPIC_BASE_URL: 'http://127.0.0.1:3128/providers/anthropic',
  OPENAI_BASE_URL: 'http://127.0.0.1:3128/providers/openai',
};
const argumentsOf = (tool: CodingTool, change: Partial<ToolRequest> = {}) =>
  tool.buildArguments({
    model: undefined,
    sessionId: null,
    extraArgs: [],
    sandbox: undefined,
    isSandboxed: true,
    provided: PROVIDED,
    mcpUrl: null,
    runId: 'run',
    ...change,
  });

describe('buildArguments() and environment() for a provider of the gateway', () => {
  it('put the provider’s arguments before the agent’s own arguments for Codex', () => {
    const args = argumentsOf(CODEX, { extraArgs: ['-c', 'model_provider="own"'] });
    const gateway = args.indexOf('model_provider="gateway"');
    expect(gateway).toBeGreaterThan(0);
    expect(args[gateway + 2]).toContain(`base_url="${PROVIDED.OPENAI_BASE_URL}"`);
    expect(args[gateway + 2]).toContain('env_key="OPENAI_API_KEY"');
    expect(args.indexOf('model_provider="own"')).toBeGreaterThan(gateway);
    expect(argumentsOf(CODEX, { provided: {} }).join(' ')).not.toContain('model_provider');
  });

  it('pass the collector’s address to Codex as an argument', () => {
    const provided = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:3128/otlp' };
    const exporter = '{endpoint="http://127.0.0.1:3128/otlp/v1/traces",protocol="json"}';
    expect(argumentsOf(CODEX, { provided })).toContain(
      `otel.trace_exporter={otlp-http=${exporter}}`,
    );
    expect(argumentsOf(CODEX).join(' ')).not.toContain('otel');
  });

  it('append /v1 to the provider’s address for OpenCode, whose client omits the version', () => {
    const { OPENCODE_CONFIG_CONTENT = '' } = OPENCODE.environment(PROVIDED);
    expect(JSON.parse(OPENCODE_CONFIG_CONTENT)).toMatchObject({
      provider: { anthropic: { options: { baseURL: `${PROVIDED.ANTHROPIC_BASE_URL}/v1` } } },
    });
    const { OPENCODE_CONFIG_CONTENT: without = '' } = OPENCODE.environment({});
    expect(JSON.parse(without)).not.toHaveProperty('provider');
  });

  it('add no arguments for Claude Code', () => {
    expect(argumentsOf(CLAUDE_CODE)).toEqual(argumentsOf(CLAUDE_CODE, { provided: {} }));
    expect(CLAUDE_CODE.environment(PROVIDED)).toEqual(CLAUDE_CODE.environment({}));
  });
});

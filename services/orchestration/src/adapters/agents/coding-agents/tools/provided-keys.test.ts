import type { CodingTool, ToolRequest } from '../coding-tool';
import { CLAUDE_CODE } from './claude-code';
import { CODEX } from './codex';
import { OPENCODE } from './opencode';

const PROVIDED = {
  ANTHROPIC_BASE_URL: 'http://127.0.0.1:3128/providers/anthropic',
  OPENAI_BASE_URL: 'http://127.0.0.1:3128/providers/openai',
};
const ask = (tool: CodingTool, change: Partial<ToolRequest> = {}) =>
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

describe('a provider of the gateway', () => {
  it('is named to Codex by arguments, which those of the agent come after', () => {
    const args = ask(CODEX, { extraArgs: ['-c', 'model_provider="own"'] });
    const gateway = args.indexOf('model_provider="gateway"');
    expect(gateway).toBeGreaterThan(0);
    expect(args[gateway + 2]).toContain(`base_url="${PROVIDED.OPENAI_BASE_URL}"`);
    expect(args[gateway + 2]).toContain('env_key="OPENAI_API_KEY"');
    expect(args.indexOf('model_provider="own"')).toBeGreaterThan(gateway);
    expect(ask(CODEX, { provided: {} }).join(' ')).not.toContain('model_provider');
  });

  it('is named to OpenCode with the version that its client leaves out', () => {
    const { OPENCODE_CONFIG_CONTENT = '' } = OPENCODE.environment(PROVIDED);
    expect(JSON.parse(OPENCODE_CONFIG_CONTENT)).toMatchObject({
      provider: { anthropic: { options: { baseURL: `${PROVIDED.ANTHROPIC_BASE_URL}/v1` } } },
    });
    const { OPENCODE_CONFIG_CONTENT: without = '' } = OPENCODE.environment({});
    expect(JSON.parse(without)).not.toHaveProperty('provider');
  });

  it('needs nothing but its variables in Claude Code', () => {
    expect(ask(CLAUDE_CODE)).toEqual(ask(CLAUDE_CODE, { provided: {} }));
    expect(CLAUDE_CODE.environment(PROVIDED)).toEqual(CLAUDE_CODE.environment({}));
  });
});

import { codexConfig, codingAgentConfig } from '../coding-agent-config';
import type { CodingTool, ToolRequest } from '../coding-tool';
import { CLAUDE_CODE } from './claude-code';
import { CODEX } from './codex';

const argumentsOf = (tool: CodingTool, change: Partial<ToolRequest> = {}) =>
  tool.buildArguments({
    model: undefined,
    sessionId: null,
    extraArgs: [],
    sandbox: undefined,
    isSandboxed: false,
    provided: {},
    mcpUrl: null,
    runId: 'run',
    ...change,
  });
const sandboxesOf = (args: string[]) => args.filter((argument) => /^(-s|--sandbox)/.test(argument));

describe('buildArguments() for the sandbox of the tool', () => {
  it('enables the tool’s sandbox only if the runner uses no sandbox', () => {
    expect(sandboxesOf(argumentsOf(CODEX))).toEqual(['--sandbox=workspace-write']);
    expect(argumentsOf(CODEX)).toContain('sandbox_workspace_write.network_access=true');
    expect(sandboxesOf(argumentsOf(CODEX, { isSandboxed: true }))).toEqual([
      '--sandbox=danger-full-access',
    ]);
    expect(argumentsOf(CLAUDE_CODE).join(' ')).not.toContain('--settings');
    expect(argumentsOf(CLAUDE_CODE, { isSandboxed: true })).toContain(
      '--settings={"sandbox":{"enabled":false}}',
    );
  });

  it('uses the sandbox that the configuration names', () => {
    for (const isSandboxed of [true, false]) {
      const args = argumentsOf(CODEX, { sandbox: 'read-only', isSandboxed });
      expect(sandboxesOf(args)).toEqual(['--sandbox=read-only']);
    }
  });

  it.each([
    ['--sandbox=danger-full-access'],
    ['--sandbox', 'read-only'],
    ['-s', 'read-only'],
    ['--full-auto'],
    ['--yolo'],
    ['--dangerously-bypass-approvals-and-sandbox'],
    ['-c', 'sandbox_mode="read-only"'],
    ['--config=sandbox_mode="read-only"'],
  ])('adds no second sandbox argument if the arguments contain %s', (...extraArgs) => {
    const args = argumentsOf(CODEX, { extraArgs, isSandboxed: true });
    expect(args.join(' ')).not.toContain('--sandbox=danger-full-access -c');
    expect(args.filter((one) => one === extraArgs[0] && one !== '-c')).toHaveLength(
      extraArgs[0] === '-c' ? 0 : 1,
    );
    expect(codexConfig.safeParse({ extraArgs }).success).toBe(true);
    const { error } = codexConfig.safeParse({ sandbox: 'read-only', extraArgs });
    expect(error?.issues).toMatchObject([{ path: ['extraArgs'] }]);
  });

  it('accepts a sandbox setting with unrelated arguments for Codex, and rejects the setting for other tools', () => {
    const extraArgs = ['-c', 'model_reasoning_effort="high"', '--search', '--sandboxed'];
    expect(codexConfig.safeParse({ sandbox: 'workspace-write', extraArgs }).success).toBe(true);
    expect(codexConfig.safeParse({ sandbox: 'open' }).success).toBe(false);
    expect(codingAgentConfig.safeParse({ sandbox: 'read-only' }).success).toBe(false);
  });

  it('adds no settings for Claude Code if the arguments contain --settings', () => {
    const args = argumentsOf(CLAUDE_CODE, {
      extraArgs: ['--settings', 'mine.json'],
      isSandboxed: true,
    });
    expect(args.filter((one) => one.startsWith('--settings'))).toEqual(['--settings']);
  });
});

import { codexConfig, codingAgentConfig } from '../coding-agent-config';
import type { CodingTool, ToolRequest } from '../coding-tool';
import { CLAUDE_CODE } from './claude-code';
import { CODEX } from './codex';

const ask = (tool: CodingTool, change: Partial<ToolRequest> = {}) =>
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

describe('a tool’s own sandbox', () => {
  it('is on where there is none around it, and off in ours', () => {
    expect(sandboxesOf(ask(CODEX))).toEqual(['--sandbox=workspace-write']);
    expect(ask(CODEX)).toContain('sandbox_workspace_write.network_access=true');
    expect(sandboxesOf(ask(CODEX, { isSandboxed: true }))).toEqual([
      '--sandbox=danger-full-access',
    ]);
    expect(ask(CLAUDE_CODE).join(' ')).not.toContain('--settings');
    expect(ask(CLAUDE_CODE, { isSandboxed: true })).toContain(
      '--settings={"sandbox":{"enabled":false}}',
    );
  });

  it('is what the configuration says', () => {
    for (const isSandboxed of [true, false]) {
      const args = ask(CODEX, { sandbox: 'read-only', isSandboxed });
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
  ])('is never named twice: %s', (...extraArgs) => {
    const args = ask(CODEX, { extraArgs, isSandboxed: true });
    expect(args.join(' ')).not.toContain('--sandbox=danger-full-access -c');
    expect(args.filter((one) => one === extraArgs[0] && one !== '-c')).toHaveLength(
      extraArgs[0] === '-c' ? 0 : 1,
    );
    // What was stored before there was the field goes on.
    expect(codexConfig.safeParse({ extraArgs }).success).toBe(true);
    const { error } = codexConfig.safeParse({ sandbox: 'read-only', extraArgs });
    expect(error?.issues).toMatchObject([{ path: ['extraArgs'] }]);
  });

  it('leaves other arguments alone, and is a field of Codex only', () => {
    const extraArgs = ['-c', 'model_reasoning_effort="high"', '--search', '--sandboxed'];
    expect(codexConfig.safeParse({ sandbox: 'workspace-write', extraArgs }).success).toBe(true);
    expect(codexConfig.safeParse({ sandbox: 'open' }).success).toBe(false);
    expect(codingAgentConfig.safeParse({ sandbox: 'read-only' }).success).toBe(false);
  });

  it('is not touched in Claude Code where settings are given', () => {
    const args = ask(CLAUDE_CODE, { extraArgs: ['--settings', 'mine.json'], isSandboxed: true });
    expect(args.filter((one) => one.startsWith('--settings'))).toEqual(['--settings']);
  });
});

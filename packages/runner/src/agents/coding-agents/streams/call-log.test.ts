import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readRecording } from '../../../../test/stand-in-tool';
import type { CodingTool } from '../coding-tool';
import { CLAUDE_CODE } from '../tools/claude-code';
import { CODEX } from '../tools/codex';
import { OPENCODE } from '../tools/opencode';

const LOGS = join(__dirname, '../../../../test/logs');

function logOf(tool: CodingTool, lines: readonly (object | string)[], stderr: string[] = []) {
  let ms = 0;
  const now = () => new Date(ms);
  const reader = tool.createReader({ model: null, session: null, now });
  const events = [
    ...stderr.flatMap((line) => reader.err(line)),
    ...lines.flatMap((line) => {
      ms += 500;
      return reader.out(typeof line === 'string' ? line : JSON.stringify(line));
    }),
  ];
  return events.flatMap((event) => (event.kind === 'log' ? event.text.split('\n') : []));
}

const said = (...content: object[]) => ({ type: 'assistant', message: { content } });
const returned = (...content: object[]) => ({ type: 'user', message: { content } });
const call = (id: string, name: string, input: object) => ({ type: 'tool_use', id, name, input });
const result = (id: string, content: unknown, isError = false) => ({
  type: 'tool_result',
  tool_use_id: id,
  content,
  is_error: isError,
});
const item = (type: 'started' | 'completed', fields: object) => ({
  type: `item.${type}`,
  item: fields,
});

describe('the log of a coding agent', () => {
  it.each<[string, CodingTool]>([
    ['claude-code-work', CLAUDE_CODE],
    ['codex-work', CODEX],
    ['opencode-work', OPENCODE],
  ])('equals the text that the console reads, for the recording %s', async (name, tool) => {
    const { lines, stderr } = await readRecording(name);
    const log = logOf(tool, lines, stderr);
    expect(log).toContain('I claim the issue first.');
    expect(`${log.join('\n')}\n`).toBe(readFileSync(join(LOGS, `${name}.log`), 'utf8'));
  });

  it('contains each result of Claude Code with the number of its call, in any order of results', () => {
    const log = logOf(CLAUDE_CODE, [
      said(call('a', 'Read', { file_path: 'a.ts' }), call('b', 'Bash', { command: 'ls\npwd' })),
      returned(result('b', [{ type: 'text', text: 'one\n> two\n' }])),
      returned(result('a', 'no such file', true), result('unknown', 'x')),
    ]);
    expect(log).toEqual([
      '[tool 1] Read {"file_path":"a.ts"}',
      '[tool 2] Bash {"command":"ls\\npwd"}',
      '[result 2] ok, 0.5 s',
      '> one',
      '> > two',
      '[result 1] failed, 1.0 s',
      '> no such file',
      '> x',
    ]);
  });

  it('contains Codex calls that fail, that are not commands, or that are reported only at their end', () => {
    const command = { id: '1', type: 'command_execution', command: 'npm test' };
    const mcp = {
      id: '2',
      type: 'mcp_tool_call',
      server: 'docs',
      tool: 'find',
      arguments: { q: 1 },
    };
    const log = logOf(CODEX, [
      item('started', { ...command, aggregated_output: '', exit_code: null }),
      item('completed', { ...command, aggregated_output: 'red\n', exit_code: 1, status: 'failed' }),
      item('started', { ...mcp, result: null, error: null, status: 'in_progress' }),
      item('completed', { ...mcp, result: { content: [{ type: 'text', text: 'page' }] } }),
      item('completed', { id: '3', type: 'file_change', changes: [{ path: 'a', kind: 'add' }] }),
      item('started', { ...mcp, id: '4' }),
      item('completed', { ...mcp, id: '4', error: { message: 'gone' }, status: 'failed' }),
    ]);
    expect(log).toEqual([
      '[tool 1] $ npm test',
      '[result 1] failed, exit code 1, 0.5 s',
      '> red',
      '[tool 2] docs.find {"q":1}',
      '[result 2] ok, 0.5 s',
      '> page',
      '[tool 3] file_change {"changes":[{"path":"a","kind":"add"}]}',
      '[result 3] ok',
      '[tool 4] docs.find {"q":1}',
      '[result 4] failed, 0.5 s',
      '> gone',
    ]);
  });

  it('contains failed calls of OpenCode with the time that OpenCode measured', () => {
    const state = {
      status: 'error',
      input: { filePath: 'a' },
      error: 'none',
      time: { start: 7, end: 2_307 },
    };
    const log = logOf(OPENCODE, [{ type: 'tool_use', part: { tool: 'read', callID: 'a', state } }]);
    expect(log).toEqual(['[tool 1] read {"filePath":"a"}', '[result 1] failed, 2.3 s', '> none']);
  });

  it('indents message lines that look like marks, and marks other output of the tool', () => {
    const text = 'Done:\n> quoted\n [tool 1] x\n[failed] y\n[a](b) [x] z';
    expect(logOf(CLAUDE_CODE, [said({ type: 'text', text }), 'not JSON'])).toEqual([
      'Done:',
      ' > quoted',
      '  [tool 1] x',
      ' [failed] y',
      '[a](b) [x] z',
      '',
      '[claude] not JSON',
    ]);
    expect(logOf(CODEX, [], ['WARNING: x'])).toEqual(['[codex] WARNING: x']);
    expect(logOf(OPENCODE, ['plain'], ['x'])).toEqual(['[opencode] x', '[opencode] plain']);
  });

  it('shortens a long call, and marks each line of its output', () => {
    const log = logOf(CLAUDE_CODE, [
      said(call('a', 'Write\n> x', { content: 'x'.repeat(5_000) })),
      returned(result('a', `${'y'.repeat(4_001)}`)),
    ]);
    expect(log[0]).toMatch(/^\[tool 1\] Write_>_x \{"content":"x{3978} \[\d+ more characters\]$/);
    expect(log.slice(1)).toEqual([
      '[result 1] ok, 0.5 s',
      `> ${'y'.repeat(4_000)}`,
      '> [1 more characters]',
    ]);
  });
});

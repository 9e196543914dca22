import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { appended, EMPTY_WINDOW, type LogWindow, linesOf, prepended } from '../log-window';
import { describeCall, type Part, readTranscript } from './read-transcript';

const LOGS = join(import.meta.dirname, '../../../../../runner/test/logs');

const read = (text: string, isCut = false): Part[] =>
  readTranscript(linesOf(appended(EMPTY_WINDOW, { from: 0, to: text.length, text })), isCut);

const textOf = (parts: Part[]) => parts.map((part) => ('text' in part ? part.text : part.call));

describe('readTranscript', () => {
  it.each(['claude-code', 'codex', 'opencode'])('reads the log of a run of %s', (tool) => {
    const parts = read(readFileSync(join(LOGS, `${tool}-work.log`), 'utf8'));
    const messages = parts.filter(({ kind }) => kind === 'message');
    expect(textOf(messages)).toEqual(['I claim the issue first.', 'I said hello.']);
    const calls = parts.flatMap((part) => (part.kind === 'call' ? [part] : []));
    expect(calls).toHaveLength(3);
    for (const { call, output, result } of calls) {
      expect(call).toMatch(/^\$ .*curl -sS -X/);
      expect(output).toMatch(/^\{"id":/);
      expect(result).toMatchObject({ isFailed: false, ms: expect.any(Number) });
    }
    expect(parts.filter(({ kind }) => kind === 'other')).toEqual([]);
  });

  it('matches results to parallel calls by call number', () => {
    const log = [
      '[tool 1] Read {"file_path":"a.ts"}',
      '[tool 2] $ npm test',
      '[result 2] failed, exit code 1, 62.5 s',
      '> red',
      '> > quoted',
      '[result 1] ok',
      '> text',
      '[tool 3] $ sleep 9',
    ];
    expect(read(log.join('\n'))).toEqual([
      {
        kind: 'call',
        row: 0,
        call: 'Read {"file_path":"a.ts"}',
        output: 'text',
        result: { isFailed: false },
      },
      {
        kind: 'call',
        row: 1,
        call: '$ npm test',
        output: 'red\n> quoted',
        result: { isFailed: true, exitCode: 1, ms: 62_500 },
      },
      { kind: 'call', row: 7, call: '$ sleep 9', output: '' },
    ]);
  });

  it('separates messages, usage, errors and other marked lines', () => {
    const log = [
      '[run] Codex starts a new conversation; prompt 1',
      '[codex] WARNING: one',
      '[codex] two',
      'First **bold**',
      ' > quoted',
      '  [failed] twice indented',
      '',
      'Second',
      '',
      '[usage] gpt: 1 tokens in, 2 out, 3 cents',
      '[failed] no credit',
      '[failed] pay',
    ];
    const parts = read(`${log.join('\n')}\n`);
    expect(parts.map(({ kind }) => kind)).toEqual(['note', 'note', 'message', 'usage', 'error']);
    expect(textOf(parts).slice(1)).toEqual([
      '[codex] WARNING: one\n[codex] two',
      'First **bold**\n> quoted\n [failed] twice indented\n\nSecond',
      'gpt: 1 tokens in, 2 out, 3 cents',
      'no credit\npay',
    ]);
  });

  it('keeps truncated lines and lines that belong to no call', () => {
    const log = [
      'lf of a line',
      '> no call',
      '[result 9] ok, 0.1 s',
      '> output of an earlier call',
      '[tool 10] $ be',
      '[300 bytes of output were left out here]',
      '> maybe the rest of a line',
      '> nor this one',
      '[result x] ok',
    ];
    expect(read(log.join('\n'), true)).toEqual([
      { kind: 'other', row: 0, text: 'lf of a line\n> no call' },
      {
        kind: 'call',
        row: 2,
        call: '',
        output: 'output of an earlier call',
        result: { isFailed: false, ms: 100 },
      },
      { kind: 'call', row: 4, call: '$ be', output: '' },
      { kind: 'note', row: 5, text: '[300 bytes of output were left out here]' },
      { kind: 'other', row: 6, text: '> maybe the rest of a line\n> nor this one' },
      { kind: 'message', row: 8, text: '[result x] ok' },
    ]);
  });

  it('keeps every line of a garbled log', () => {
    const marks = [
      '> ',
      '[tool 1] ',
      '[result 1] ok',
      '[tool ',
      '[failed] ',
      '',
      ' ',
      '\u0000',
      '<b>',
    ];
    const lines = Array.from(
      { length: 500 },
      (_, at) => `${marks[(at * 7) % marks.length]}#${at}#`,
    );
    const text = JSON.stringify(read(lines.join('\n')));
    expect(lines.flatMap((_, at) => (text.includes(`#${at}#`) ? [] : [at]))).toEqual([]);
  });

  it('joins lines that the log splits into rows, and keeps their numbers when an earlier part is added', () => {
    const long = `[tool 1] Write {"content":"${'x'.repeat(5_000)}"}\n`;
    const text = `Hello\n${long}[result 1] ok\nBye\n`;
    const cut = long.length - 500;
    const part = (from: number, to: number) => ({ from, to, text: text.slice(from, to) });
    const later = appended(EMPTY_WINDOW, part(cut, text.length));
    const whole: LogWindow = prepended(later, part(0, cut));
    const rowOf = (window: LogWindow) =>
      readTranscript(linesOf(window), false).find((each) => 'text' in each && each.text === 'Bye')
        ?.row;
    expect(rowOf(whole)).toBe(rowOf(later));
    expect(textOf(readTranscript(linesOf(whole), false))).toEqual([
      'Hello',
      long.slice(9, -1),
      'Bye',
    ]);
  });

  it('reads 50,000 lines in one pass', () => {
    const log = '[tool 1] $ ls\n[result 1] ok, 0.1 s\n> a\nDone.\n\n'.repeat(10_000);
    expect(read(log)).toHaveLength(20_000);
  });
});

describe('describeCall', () => {
  it.each([
    ['$ npm test', { name: '', argument: 'npm test', fields: [['', 'npm test']] }],
    [
      'Read {"limit":5,"file_path":"a\\n.ts"}',
      {
        name: 'Read',
        argument: 'a\n.ts',
        fields: [
          ['limit', '5'],
          ['file_path', 'a\n.ts'],
        ],
      },
    ],
    ['Grep {"x":1}', { name: 'Grep', argument: '{"x":1}', fields: [['x', '1']] }],
    ['Task {}', { name: 'Task', argument: '', fields: [] }],
    [
      'Write {"file_path":"b","content":"cu [9 more characters]',
      {
        name: 'Write',
        argument: 'b',
        fields: [['', '{"file_path":"b","content":"cu [9 more characters]']],
      },
    ],
    ['odd', { name: 'odd', argument: '', fields: [] }],
    ['Odd [1,"<b>"]', { name: 'Odd', argument: '[1,"<b>"]', fields: [['', '[1,"<b>"]']] }],
  ])('describes %s', (call, described) => {
    expect(describeCall(call)).toMatchObject(described);
  });

  it('returns the old and the new text of an edit', () => {
    const call = 'Edit {"file_path":"a","old_string":"one","new_string":"two"}';
    expect(describeCall(call).edit).toEqual({ before: 'one', after: 'two' });
  });
});

import { readRecording, recordingNames } from '../../../../test/stand-in-tool';
import type { AgentSession } from '../../agent-adapter';
import type { CodingTool } from '../coding-tool';
import type { FailureKind, ModelUse, ToolEvent } from '../tool-event';
import { CLAUDE_CODE } from '../tools/claude-code';
import { CODEX } from '../tools/codex';
import { OPENCODE } from '../tools/opencode';
import { NOTHING_DONE } from './read-json';
import { addTokens, NO_TOKENS } from './token-counts';

const TOOLS: Record<string, CodingTool> = {
  'claude-code': CLAUDE_CODE,
  codex: CODEX,
  opencode: OPENCODE,
};
const MODELS: Record<string, string> = {
  'claude-code': 'claude-sonnet-4-5',
  codex: 'gpt-5.5',
  opencode: 'anthropic/claude-sonnet-4-5',
};
const SCENES: Record<string, FailureKind | null> = {
  work: null,
  resumed: null,
  restored: null,
  quota: 'quota_exhausted',
  'no-credit': 'quota_exhausted',
  'bad-key': 'not_signed_in',
  'not-signed-in': 'not_signed_in',
  'model-unknown': 'model_unknown',
  'model-unlisted': 'model_unknown',
  'rate-limited': 'rate_limited',
  unavailable: 'provider_unavailable',
  'unknown-session': 'session_unknown',
};
const NOW = new Date();

function readerOf(tool: string, session: AgentSession | null = null) {
  return TOOLS[tool]!.createReader({ model: MODELS[tool]!, session, now: () => NOW });
}

function readAll(tool: string, lines: string[], stderr: string[] = []): ToolEvent[] {
  const reader = readerOf(tool);
  return [
    ...stderr.flatMap((line) => reader.err(line)),
    ...lines.flatMap((line) => reader.out(line)),
  ];
}

function usesOf(events: ToolEvent[]): ModelUse[] {
  const total = events.findLast((event) => event.kind === 'total');
  if (total?.kind === 'total') return total.uses;
  return events.flatMap((event) => (event.kind === 'used' ? [event.use] : []));
}

const failureOf = (events: ToolEvent[]): FailureKind | null => {
  const last = events.findLast((event) => event.kind === 'failed' || event.kind === 'finished');
  return last?.kind === 'failed' ? last.failure.kind : null;
};

describe.each(Object.keys(TOOLS))('createReader() with recordings of %s', (tool) => {
  it('reads tokens, session, result and log', async () => {
    const { lines, stderr, exitCode } = await readRecording(`${tool}-work`);
    const events = readAll(tool, lines, stderr);
    const counts = usesOf(events).reduce((sum, use) => addTokens(sum, use.counts), NO_TOKENS);
    expect(counts).toEqual({ input: 2_000, output: 1_000, cacheRead: 60_000, cacheWrite: 0 });
    expect(events.filter((event) => event.kind === 'session').length).toBeGreaterThan(0);
    expect(events).toContainEqual({ kind: 'finished', summary: 'I said hello.' });
    expect(exitCode).toBe(0);
    const said = events.flatMap((event) => (event.kind === 'log' ? [event.text] : [])).join('\n');
    expect(said).toContain('I claim the issue first.');
    expect(said).toMatch(/^\[tool 1\] \$ .*checkout/m);
    expect(said).toMatch(/^> .*"status":"in_progress"/m);
  });

  it('reads the failure in each recording', async () => {
    const names = (await recordingNames()).filter((name) => name.startsWith(`${tool}-`));
    const scenes = names.map((name) => name.slice(tool.length + 1));
    const kinds: Record<string, FailureKind | null> = {};
    for (const scene of scenes) {
      const { lines, stderr, exitCode } = await readRecording(`${tool}-${scene}`);
      kinds[scene] = failureOf(readAll(tool, lines, stderr));
      expect(exitCode === 0).toBe(kinds[scene] === null);
    }
    expect(kinds).toEqual(Object.fromEntries(scenes.map((scene) => [scene, SCENES[scene]])));
    expect(scenes.length).toBeGreaterThan(8);
  });

  it('ignores a truncated or garbled line, and reads all other lines', async () => {
    const { lines } = await readRecording(`${tool}-work`);
    const garbled = (line: string) => [
      line.slice(0, Math.floor(line.length / 2)),
      line.slice(1),
      `{"type":"${'x'.repeat(20)}"`,
      '\u0000\ufffd garbage',
      '{"type":"assistant","message":7}',
      '{"type":"item.completed","item":[]}',
      '{"type":"step_finish","part":"none"}',
      '{"type":"result","modelUsage":[],"is_error":"no"}',
      'null',
      '[]',
    ];
    for (const [at, line] of lines.entries()) {
      const without = readAll(tool, lines.toSpliced(at, 1));
      for (const text of garbled(line)) {
        const read = readAll(tool, lines.toSpliced(at, 1, text));
        const relevant = (events: ToolEvent[]) =>
          events.filter(
            (event) =>
              !['log', 'working', 'finished'].includes(event.kind) && event !== NOTHING_DONE,
          );
        expect(relevant(read)).toEqual(relevant(without));
      }
    }
  });
});

describe('createReader()', () => {
  it('subtracts the previous run’s totals from the totals of a resumed Codex conversation', async () => {
    const { lines } = await readRecording('codex-resumed');
    const counted = { input: 2_000, output: 1_000, cacheRead: 60_000, cacheWrite: 0 };
    const reader = readerOf('codex', { id: 'x', directory: '/', counted });
    const events = lines.flatMap((line) => reader.out(line));
    expect(usesOf(events)).toMatchObject([
      { counts: { input: 500, output: 100, cacheRead: 7_000, cacheWrite: 0 }, dollars: null },
    ]);
  });

  describe('with a resumed Claude Code conversation', () => {
    const own = { input: 500, output: 100, cacheRead: 7_000, cacheWrite: 0 };
    const earlier = { input: 2_000, output: 1_000, cacheRead: 60_000, cacheWrite: 0 };
    const model = 'claude-sonnet-4-5';
    const session: AgentSession = {
      id: 'x',
      directory: '/',
      counted: { ...earlier, dollars: 0.039, models: [{ model, ...earlier, dollars: 0.039 }] },
    };
    type Line = Record<string, unknown>;
    async function use(
      recording: string,
      of: AgentSession | null,
      change: (line: Line) => void = () => {},
    ) {
      const { lines } = await readRecording(recording);
      const reader = readerOf('claude-code', of);
      const events = lines.flatMap((text) => {
        const line = JSON.parse(text) as Line;
        change(line);
        return reader.out(JSON.stringify(line));
      });
      const total = events.findLast((event) => event.kind === 'total');
      if (total?.kind !== 'total') throw new Error('the stream has no total');
      return total;
    }
    const withoutDelta = (line: Line) => delete line.model_usage_since_last_result;

    it.each([
      ['the usage since the last result', null, undefined],
      ['the totals minus those of earlier runs', session, withoutDelta],
    ])('reports %s, and returns the totals for the next run', async (_what, of, change) => {
      const { uses, counted } = await use('claude-code-restored', of, change);
      expect(uses).toEqual([{ model, counts: own, dollars: expect.closeTo(0.0051, 9) }]);
      expect(counted).toMatchObject({ output: 1_100, dollars: expect.closeTo(0.0441, 9) });
      expect(counted?.models).toMatchObject([{ model, input: 2_500, cacheRead: 67_000 }]);
    });

    it('adds up several results of a single process', async () => {
      const { lines } = await readRecording('claude-code-restored');
      const reader = readerOf('claude-code');
      const events = [...lines, ...lines.slice(-1)].flatMap((line) => reader.out(line));
      expect(usesOf(events)).toMatchObject([{ counts: { input: 1_000, output: 200 } }]);
    });

    it('counts from zero if the tool’s version does not restore totals', async () => {
      const small = { input: 1, output: 1, cacheRead: 1, cacheWrite: 0 };
      const counted = { ...small, models: [{ model, ...small, dollars: 0.001 }] };
      const { uses } = await use('claude-code-resumed', { ...session, counted });
      expect(uses).toMatchObject([{ counts: own, dollars: 0.0051 }]);
    });

    it('counts from zero if the totals are lower than those of earlier runs', async () => {
      const { uses } = await use('claude-code-resumed', session, (line) => {
        if (line.type === 'system') line.claude_code_version = '3.0.0';
      });
      expect(uses).toMatchObject([{ counts: own, dollars: 0.0051 }]);
    });

    it.each<[string, object, object]>([
      ['no models, but tokens and a cost', { modelUsage: {} }, { counts: own, dollars: 0.0051 }],
      [
        'no models and no cost',
        { modelUsage: undefined, total_cost_usd: undefined },
        { counts: own, dollars: null },
      ],
      ['a cost above that of its models', { total_cost_usd: 1 }, { counts: own, dollars: 1 }],
    ])('counts all usage if a result has %s', async (_what, fields, expected) => {
      const { uses } = await use('claude-code-resumed', null, (line) => {
        if (line.type === 'result') Object.assign(line, fields);
      });
      expect(uses).toMatchObject([{ model, ...expected }]);
    });
  });

  it.each(['claude-code', 'opencode'])('uses the cost that %s reports', async (tool) => {
    const { lines } = await readRecording(`${tool}-work`);
    const dollars = usesOf(readAll(tool, lines)).reduce((sum, use) => sum + use.dollars!, 0);
    expect(dollars).toBeCloseTo(0.039, 6);
  });

  it.each<[FailureKind, object, object]>([
    ['quota_exhausted', {}, { api_error_type: 'billing_error' }],
    ['rate_limited', {}, { api_error: 'rate_limit_error' }],
    ['rate_limited', { error: 'rate_limit' }, {}],
    ['other', {}, {}],
  ])(
    'returns %s for a failure of Claude Code with the error %j in a message and %j in the result',
    (kind, message, result) => {
      const reader = readerOf('claude-code');
      const content = [{ type: 'text', text: 'No answer' }];
      reader.out(JSON.stringify({ type: 'assistant', message: { content }, ...message }));
      const text = { type: 'result', is_error: true, result: 'No answer' };
      const events = reader.out(JSON.stringify({ ...text, ...result }));
      expect(events).toMatchObject([{ kind: 'failed', failure: { kind, message: 'No answer' } }]);
    },
  );

  it('reads the reset time of Claude Code’s usage limit from the event instead of the message', async () => {
    const { lines } = await readRecording('claude-code-quota');
    const limit = lines.map((line) => JSON.parse(line)).find((line) => line.rate_limit_info);
    const reset = new Date(limit.rate_limit_info.resetsAt * 1_000);
    const before = new Date(reset.getTime() - 60_000);
    const reader = CLAUDE_CODE.createReader({ model: null, session: null, now: () => before });
    const failed = lines.flatMap((line) => reader.out(line)).findLast((e) => e.kind === 'failed');
    expect(failed).toMatchObject({ failure: { kind: 'quota_exhausted', until: reset } });
  });
});

test('recordings contain no path, address or token of the recording machine', async () => {
  for (const name of await recordingNames()) {
    const { lines, stderr } = await readRecording(name);
    expect([...lines, ...stderr].join('\n')).not.toMatch(
      /\/(root|tmp|var|Users|work)\b|\/home\/|eyJ[\w-]{10,}\.|127\.0\.0\.1:\d{2,}/,
    );
  }
});

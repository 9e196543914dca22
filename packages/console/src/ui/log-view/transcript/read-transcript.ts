import { plainText } from '../ansi';
import type { LogLine } from '../log-window';

interface TextPart {
  kind: 'message' | 'usage' | 'error' | 'note' | 'other';
  row: number;
  text: string;
}

export interface CallPart {
  kind: 'call';
  row: number;
  call: string;
  output: string;
  result?: { isFailed: boolean; exitCode?: number; ms?: number };
}

export type Part = TextPart | CallPart;

/**
 * Reads the lines that the runner writes for coding agents (docs/coding-agents.md, "The log").
 * Every line becomes part of the transcript. With `isCut`, the first line lacks its beginning.
 */
export function readTranscript(lines: readonly LogLine[], isCut: boolean): Part[] {
  const parts: Part[] = [];
  const calls = new Map<string, CallPart>();
  let ended: CallPart | undefined;
  let lastMark = '';
  let isFragment = isCut;

  const add = (kind: TextPart['kind'], row: number, text: string, mark: string = kind) => {
    const last = parts.at(-1);
    if (lastMark === mark && last && 'text' in last) last.text += `\n${text}`;
    else parts.push({ kind, row, text });
    lastMark = mark;
    ended = undefined;
  };
  const addCall = (row: number, call: string): CallPart => {
    const part: CallPart = { kind: 'call', row, call, output: '' };
    parts.push(part);
    lastMark = '';
    ended = undefined;
    return part;
  };

  for (const { row, text } of lines) {
    const [, mark = '', rest = ''] = MARKED.exec(text) ?? [];
    const [, number = '', failed, exitCode, seconds] = RESULT.exec(text) ?? [];
    if (isFragment) add('other', row, text);
    else if (CUT.test(text)) add('note', row, text, text);
    else if (text === '>' || text.startsWith('> ')) {
      if (ended) ended.output += `${ended.output && '\n'}${text.slice(2)}`;
      else add('other', row, text);
    } else if (mark.startsWith('tool ')) calls.set(mark.slice(5), addCall(row, rest));
    else if (number) {
      const part = calls.get(number) ?? addCall(row, '');
      calls.delete(number);
      part.result = { isFailed: failed === 'failed' };
      if (exitCode) part.result.exitCode = Number(exitCode);
      if (seconds) part.result.ms = Math.round(Number(seconds) * 1_000);
      ended = part;
    } else if (mark === 'usage') add('usage', row, rest);
    else if (mark === 'failed') add('error', row, rest);
    else if (mark) add('note', row, text, mark);
    else if (text !== '' || lastMark === 'message') {
      add('message', row, plainText(text).replace(INDENTED, ''));
    }
    isFragment = CUT.test(text);
  }
  return parts.map((part) =>
    part.kind === 'message' ? { ...part, text: part.text.trimEnd() } : part,
  );
}

const MARKED = /^\[([a-z]+(?: \d+)?)\] (.*)/s;
const RESULT = /^\[result (\d+)\] (ok|failed)(?:, exit code (-?\d+))?(?:, (\d+\.\d) s)?$/;
const CUT = /^\[\d+ bytes of output were left out here\]$/;
const INDENTED = /^ (?= *(?:>(?: |$)|\[(?:[a-z]+(?: \d+)?\]|\d+ bytes of output) ))/;

export interface DescribedCall {
  name: string;
  argument: string;
  fields: (readonly [name: string, value: string])[];
  edit?: { before: string; after: string };
}

export function describeCall(call: string): DescribedCall {
  if (call.startsWith('$ ')) {
    const command = call.slice(2);
    return { name: '', argument: command, fields: [['', command]] };
  }
  const [name = ''] = call.split(' ', 1);
  const raw = call.slice(name.length + 1);
  const input = readInput(raw);
  const fields = input
    ? Object.entries(input).map(([field, value]) => [field, textOf(value)] as const)
    : [['', raw] as const].filter(() => raw !== '');
  const argument = argumentIn(raw) ?? (fields.length > 0 ? raw : '');
  const { old_string: before = input?.oldString, new_string: after = input?.newString } =
    input ?? {};
  const isEdit = typeof before === 'string' && typeof after === 'string';
  return { name, argument, fields, ...(isEdit && { edit: { before, after } }) };
}

function readInput(raw: string): Record<string, unknown> | undefined {
  try {
    const input: unknown = raw.startsWith('{') ? JSON.parse(raw) : undefined;
    return input as Record<string, unknown> | undefined;
  } catch {
    return undefined;
  }
}

const textOf = (value: unknown) =>
  typeof value === 'string' ? value : JSON.stringify(value, null, 2);

function argumentIn(raw: string): string | undefined {
  for (const key of ARGUMENTS) {
    const [, text] = key.exec(raw) ?? [];
    if (text !== undefined) return textOf(readInput(`{"text":"${text}"}`)?.text ?? text);
  }
  return undefined;
}

const ARGUMENTS = [
  'command',
  'file_path',
  'filePath',
  'path',
  'pattern',
  'query',
  'url',
  'description',
].map((key) => new RegExp(`"${key}":"((?:[^"\\\\]|\\\\.)*)"`));

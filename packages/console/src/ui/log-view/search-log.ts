import { plainText } from './ansi';
import type { LogPart } from './log-window';

interface LogSearch {
  text: string;
  /** Byte from which to look, forward or backward. */
  at: number;
  /** Bytes of the whole log. */
  size: number;
  direction: 1 | -1;
  read: (from: number, to: number) => Promise<LogPart>;
  onProgress: (at: number) => void;
}

/** Where the line with the next occurrence begins, in bytes; nothing of the log is kept. */
export async function searchLog(search: LogSearch): Promise<number | undefined> {
  return search.direction === 1 ? searchOn(search) : searchBack(search);
}

async function searchOn({ text, at, size, read, onProgress }: LogSearch) {
  let rest: LogPart = { from: at, to: at, text: '' };
  while (rest.to < size) {
    onProgress(rest.to);
    const part = await read(rest.to, Math.min(size, rest.to + STEP));
    if (part.to <= rest.to) return undefined;
    const whole = { from: rest.from, to: part.to, text: rest.text + part.text };
    const found = linesOf(whole).find((line) => isIn(line.text, text));
    if (found) return found.from;
    rest = linesOf(whole).at(-1) ?? whole;
    rest = { ...rest, to: part.to, text: rest.text.slice(-LONGEST_REST) };
  }
  return undefined;
}

async function searchBack({ text, at, read, onProgress }: LogSearch) {
  let rest: LogPart = { from: at, to: at, text: '' };
  while (rest.from > 0) {
    onProgress(rest.from);
    const part = await read(Math.max(0, rest.from - STEP), rest.from);
    if (part.from >= rest.from) return undefined;
    const whole = { from: part.from, to: rest.to, text: part.text + rest.text };
    const [first, ...lines] = linesOf(whole);
    const found = (part.from === 0 && first ? [first, ...lines] : lines).findLast((line) =>
      isIn(line.text, text),
    );
    if (found) return found.from;
    rest = { ...part, text: (first?.text ?? '').slice(0, LONGEST_REST) };
  }
  return undefined;
}

const isIn = (line: string, text: string) =>
  plainText(line).toLowerCase().includes(text.toLowerCase());

function linesOf(part: LogPart): LogPart[] {
  const encoder = new TextEncoder();
  let from = part.from;
  return part.text.split('\n').map((text) => {
    const bytes = encoder.encode(text).length;
    const line = { from, to: from + bytes, text };
    from = line.to + 1;
    return line;
  });
}

/** Bytes a request; the most that the service gives. */
const STEP = 1_048_576;
/** Characters of a line that is kept until its other end has been read. */
const LONGEST_REST = 4_000_000;

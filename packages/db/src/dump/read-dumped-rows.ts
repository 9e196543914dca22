import type { Readable } from 'node:stream';

const ESCAPES: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

function unescaped(text: string): string | null {
  if (text === '\\N') return null;
  return text.replace(/\\(.)/g, (_, letter: string) => ESCAPES[letter] ?? letter);
}

async function* linesOf(source: Readable): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of source.setEncoding('utf8')) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() as string;
    yield* lines;
  }
}

export async function* readDumpedRows(
  source: Readable,
  columns: string[],
): AsyncGenerator<Record<string, string | null>> {
  for await (const line of linesOf(source)) {
    const values = line.split('\t').map(unescaped);
    yield Object.fromEntries(columns.map((column, at) => [column, values[at] ?? null]));
  }
}

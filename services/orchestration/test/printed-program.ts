import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './read-repository';

export function printedProgram(page: string, file: string): string {
  const document = readFileSync(join(ROOT, 'docs/agents', page), 'utf8');
  const blocks = [...document.matchAll(/^```\w+\n([\s\S]*?)^```$/gm)].map(([, text]) => text ?? '');
  const found = blocks.find((text) =>
    text.split('\n', 2).some((line) => line.endsWith(` ${file}`)),
  );
  if (found === undefined) throw new Error(`no block of ${page} is ${file}`);
  return found;
}

import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { type Colour, paint } from '@switchyard/bootstrap/terminal';

const KEPT = 25;
const WIDTH = 7;

/**
 * Prints a child's lines, whole, under its name: two services that write at once must never mix inside a line.
 * Returns a list that always holds the last ones, for a failure's report.
 */
export function showOutput(
  streams: Readable[],
  { name, colour }: { name: string; colour: Colour },
): string[] {
  const last: string[] = [];
  const mark = paint(colour, `${name.padEnd(WIDTH)}| `);
  for (const input of streams) {
    createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY }).on('line', (line) => {
      last.push(line);
      if (last.length > KEPT) last.shift();
      console.log(`${mark}${line}`);
    });
  }
  return last;
}

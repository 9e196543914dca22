import { paint } from '../terminal/colour.mjs';
import { lineCutter, prefixed } from '../terminal/prefix.mjs';

const KEPT = 25;

/** Prints a child's lines under its name and keeps the last ones for a failure's report. */
export function showOutput(child, { name, colour }) {
  const last = [];
  const mark = paint(colour, prefixed(name, ''));
  for (const stream of [child.stdout, child.stderr]) {
    const cutter = lineCutter((line) => {
      last.push(line);
      if (last.length > KEPT) last.shift();
      console.log(`${mark}${line}`);
    });
    stream.on('data', (chunk) => cutter.write(chunk));
    stream.on('end', () => cutter.end());
  }
  return last;
}

/**
 * Skips white space, comments, declarations and a doctype. Scans each once, so the time is linear.
 */
export function hasSvgRoot(text: string): boolean {
  const space = /\s*/y;
  let at = text.startsWith('\uFEFF') ? 1 : 0;
  for (;;) {
    space.lastIndex = at;
    space.test(text);
    at = space.lastIndex;
    const skipped = SKIPPED.find(([begin]) => text.startsWith(begin, at));
    if (skipped) {
      const end = text.indexOf(skipped[1], at + skipped[0].length);
      if (end < 0) return false;
      at = end + skipped[1].length;
    } else if (text.startsWith('<!', at)) {
      const end = endOfDoctype(text, at);
      if (end < 0) return false;
      at = end + 1;
    } else {
      return /^<(?:[a-z][a-z0-9_-]{0,30}:)?svg[\s/>]/i.test(text.slice(at, at + 40));
    }
  }
}

const SKIPPED = [
  ['<!--', '-->'],
  ['<?', '?>'],
] as const;

function endOfDoctype(text: string, at: number): number {
  const close = text.indexOf('>', at);
  const open = text.slice(at, Math.max(at, close)).indexOf('[');
  if (open < 0) return close;
  const inner = text.indexOf(']', at + open);
  return inner < 0 ? -1 : text.indexOf('>', inner);
}

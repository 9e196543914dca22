export interface Typed {
  from: number;
  query: string;
}

export function mentionAt(text: string, caret: number): Typed | undefined {
  const from = text.slice(0, caret).lastIndexOf('@');
  if (from === -1 || caret - from > LONGEST) return undefined;
  if (from > 0 && BEFORE.test(text.charAt(from - 1))) return undefined;
  const query = text.slice(from + 1, caret);
  return /\n|\s{2}/.test(query) ? undefined : { from, query };
}

const BEFORE = /[\p{L}\p{N}_@/=]/u;
const LONGEST = 60;

interface Named {
  name: string;
}

export function matching<Each extends Named>(all: readonly Each[], query: string): Each[] {
  const wanted = folded(query);
  const begin: Each[] = [];
  const contain: Each[] = [];
  for (const each of all) {
    const name = folded(each.name);
    const words = name.split(/[\s_-]+/);
    if (name.startsWith(wanted) || words.some((word) => word.startsWith(wanted))) begin.push(each);
    else if (wanted.length > 1 && name.includes(wanted)) contain.push(each);
  }
  return [...begin, ...contain].slice(0, SHOWN);
}

const folded = (text: string) => text.normalize('NFC').toLocaleLowerCase();
const SHOWN = 8;

export function completed(
  text: string,
  { from, query }: Typed,
  name: string,
): { text: string; caret: number } {
  const after = text.slice(from + 1 + query.length);
  const mention = `@${name}${/^[\s.,;:!?)]/.test(after) ? '' : ' '}`;
  return { text: text.slice(0, from) + mention + after, caret: from + mention.length };
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '@switchyard/orchestration/test/read-repository';

export interface Page {
  name: string;
  text: string;
  block(words: string): string;
}

export function openPage(name: string): Page {
  const text = readFileSync(join(ROOT, name), 'utf8');
  return {
    name,
    text,
    block(words) {
      const blocks = [...text.matchAll(/^```\w*\n([\s\S]*?)^```$/gm)].map(([, body]) => body ?? '');
      const found = blocks.find((body) => body.includes(words));
      if (found === undefined) throw new Error(`${name} has no block with ${words}`);
      return found;
    },
  };
}

export function requestIn(sentence: string): { method: string; path: string; body: string } {
  const [, method, path, inside] =
    /`(GET|POST|PUT|PATCH|DELETE) (\/api\/[^\s`]*)( \{[^`]*\})?`/.exec(sentence) ?? [];
  if (!method || !path) throw new Error(`no request in: ${sentence}`);
  const separate = /`(\{ [^`]*\})`/.exec(sentence)?.[1];
  return { method, path, body: (inside ?? separate ?? '').trim() };
}

export function fillIn(text: string, values: Record<string, string>): string {
  let filled = text;
  for (const [from, to] of Object.entries(values)) {
    if (!filled.includes(from)) throw new Error(`nothing to replace at ${from} in: ${text}`);
    filled = filled.replaceAll(from, to);
  }
  return filled;
}

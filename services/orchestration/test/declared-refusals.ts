import { ERROR_CODES } from '@switchyard/types';
import { importsOf, type SourceFile } from './source-rules';

export interface WrittenRoute {
  operation: string;
  verbs: string[];
}

const ROUTE = /operation: '(\w+)'[\s\S]*?(?=operation: '|$)/g;
const NAMED = /import (?!type)\{([^}]*)\} from '([^']+)'/g;

export function writtenRoutes(table: SourceFile): WrittenRoute[] {
  const targets = new Map(importsOf(table).map(({ specifier, target }) => [specifier, target]));
  const imported = [...table.text.matchAll(NAMED)].flatMap(([, names = '', specifier = '']) => {
    const target = targets.get(specifier);
    return target ? names.split(',').map((name) => ({ name: name.trim(), target })) : [];
  });
  return [...table.text.matchAll(ROUTE)].map(([text, operation = '']) => {
    const called = imported.filter(({ name }) => name !== 'route' && text.includes(`${name}(`));
    const verbs = called.length > 0 ? called : imported;
    return { operation, verbs: verbs.map(({ target }) => target) };
  });
}

const WRITTEN_BY: Record<string, string> = {
  not_found: 'notFound(',
  unauthenticated: 'unauthenticated(',
  unavailable: 'unavailable(',
};

const codesIn = (text: string) =>
  ERROR_CODES.filter(
    (code) => text.includes(`'${code}'`) || text.includes(WRITTEN_BY[code] ?? `'${code}'`),
  );

/**
 * Returns every code in a file or in its direct and indirect imports: all codes that the file can
 * possibly respond with.
 */
export function reachableCodes(sources: Map<string, SourceFile>, from: string[]): Set<string> {
  const codes = new Set<string>();
  const seen = new Set<string>();
  const waiting = [...from];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const file = sources.get(next);
    if (!file || seen.has(next)) continue;
    seen.add(next);
    const text = file.text.replace(/import type [^;]+;/g, '');
    for (const code of codesIn(text)) codes.add(code);
    for (const { target } of importsOf({ ...file, text })) if (target) waiting.push(target);
  }
  return codes;
}

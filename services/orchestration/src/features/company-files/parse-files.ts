import { setImmediate } from 'node:timers/promises';
import { type FieldProblem, invalid } from '@switchyard/server';
import { type CompanyFile, UNKNOWN_FIELD } from '@switchyard/types';
import { type FileContent, parseFile } from './file-format';
import { KINDS, type KindName } from './kinds';
import type { Kind, Reference } from './kinds/kind';
import { bySlug } from './slug-of';

export interface ImportedFile extends FileContent {
  kind: KindName;
  slug: string;
  path: string;
}

const MAX_PROBLEMS = 50;

export async function parseFiles(files: readonly CompanyFile[]): Promise<ImportedFile[]> {
  const problems: FieldProblem[] = [];
  const parsed = new Map<string, ImportedFile>();
  for (const { path, content } of files) {
    await setImmediate();
    const refuse = (message: string, ...field: string[]) =>
      problems.push({ path: [path.slice(0, 300), ...field], message, code: 'custom' });
    const place = placeOf(path);
    if (!place) refuse('must be the path of a file that an export contains');
    else if (parsed.has(path)) refuse('must not be sent twice');
    else parsed.set(path, { ...place, path, ...contentOf(KINDS[place.kind], content, refuse) });
    if (problems.length >= MAX_PROBLEMS) break;
  }
  if (problems.length > 0) throw invalid(problems);
  return [...parsed.values()].sort((a, b) => bySlug(a.slug, b.slug));
}

function placeOf(path: string): { kind: KindName; slug: string } | null {
  if (!path.endsWith('.md')) return null;
  for (const kind of Object.keys(KINDS) as KindName[]) {
    const { folder, slug } = KINDS[kind];
    if (!path.startsWith(folder)) continue;
    const name = path.slice(folder.length, -'.md'.length);
    if (slug.test(name)) return { kind, slug: name };
  }
  return null;
}

type Refuse = (message: string, ...field: string[]) => void;

function contentOf(kind: Kind, content: string, refuse: Refuse): FileContent {
  const { fields: known, text: markdown, needsText } = kind;
  try {
    const { fields, text } = parseFile(content);
    if (markdown === null && text !== null) refuse('must contain nothing after the YAML');
    const entries = Object.entries(fields).map(([name, value]) => {
      if (!Object.hasOwn(known, name)) refuse(UNKNOWN_FIELD, name.slice(0, 100));
      const reference = known[name];
      return [name, reference ? readReference(reference, value, () => refuse(NAMES, name)) : value];
    });
    return { fields: Object.fromEntries(entries), text: needsText ? (text ?? '') : text };
  } catch (error) {
    refuse((error as Error).message);
    return { fields: {}, text: null };
  }
}

const NAMES = 'must contain names of files, such as ada for agents/ada.md';

function readReference({ to, isList }: Reference, value: unknown, refuse: () => void): unknown {
  const isName = (one: unknown) => typeof one === 'string' || typeof one === 'number';
  const written = (one: unknown) => (to === 'issues' ? Number(one) : String(one));
  if (!isList) {
    if (value === null) return null;
    if (isName(value)) return written(value);
  } else if (Array.isArray(value) && value.every(isName)) {
    return value.map(written);
  }
  refuse();
  return null;
}

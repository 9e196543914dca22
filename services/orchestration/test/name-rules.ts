import { posix } from 'node:path';
import type { SourceFile } from './source-rules';

const FORBIDDEN = /^(?:service|manager|helper|util|utility|utilitie|handler|base|impl)s?$/i;
const TYPE = /\b(?:class|interface|type|enum)\s+([A-Za-z_$][\w$]*)/g;
const VALUE = /\b(?:function\*?|const|let|var)\s+([A-Za-z_$][\w$]*)/g;

const wordsOf = (name: string) => name.split(/(?=[A-Z][a-z])|(?<=[a-z0-9])(?=[A-Z])|[_$]+/);

function isForbidden(name: string, kind: 'type' | 'value'): boolean {
  const words = wordsOf(name).filter(Boolean);
  if (kind === 'type')
    return /^I[A-Z][a-z]/.test(name) || words.some((word) => FORBIDDEN.test(word));
  return words.length > 1 && FORBIDDEN.test(words.at(-1) as string);
}

/** Declared names and file names that say a kind of thing instead of what it does. */
export function emptyNames(files: SourceFile[], allowed: readonly string[]): string[] {
  return files.flatMap(({ path, text }) => {
    const code = text.replace(/^\s*(?:\/\/|\/?\*).*$/gm, '');
    const types = [...code.matchAll(TYPE)].map((match) => match[1] as string);
    const values = [...code.matchAll(VALUE)].map((match) => match[1] as string);
    const stem = posix.basename(path).split('.')[0] as string;
    return [
      ...types.filter((name) => isForbidden(name, 'type')),
      ...values.filter((name) => isForbidden(name, 'value')),
      ...(FORBIDDEN.test(stem.split('-').at(-1) as string) ? [stem] : []),
    ]
      .filter((name) => !allowed.includes(name))
      .map((name) => `${path}: ${name}`);
  });
}

function matching(files: SourceFile[], pattern: RegExp): string[] {
  return files.flatMap(({ path, text }) => {
    const at = text.split('\n').findIndex((line) => pattern.test(line));
    return at < 0 ? [] : [`${path}:${at + 1}`];
  });
}

export const defaultExports = (files: SourceFile[]) =>
  matching(files, /^\s*export\s+default\b|\bexport\s*\{[^}]*\bas\s+default\b|^module\.exports\s*=/);

// Put together, so that the rules do not find themselves.
const UNFINISHED = new RegExp(
  `\\b(?:${['TO', 'FIX'].map((a, at) => a + ['DO', 'ME'][at]).join('|')})\\b`,
);
const HELD_BACK =
  /\b(?:it|test|describe)(?:\.each)?\.(?:only|skip|todo|failing)\b|\b(?:xit|xtest|xdescribe|fit|fdescribe)\(/;

export const unfinished = (files: SourceFile[]) => matching(files, UNFINISHED);
export const heldBackTests = (files: SourceFile[]) => matching(files, HELD_BACK);

const MACHINE_PATH = /(?:^|[\s'"`(=:,])(?:\/(?:home|root|Users|work)\/[\w.-]|[A-Z]:\\{1,2}Users\\)/;
const REGISTRY =
  /\bregistry\.[a-z0-9-]+\.|\bnpm\.pkg\.github\.com\b|\bartifactory\b|\bverdaccio\b|^\s*tarball:/i;

export const machinePaths = (files: SourceFile[]) => matching(files, MACHINE_PATH);
export const registryHosts = (files: SourceFile[]) => matching(files, REGISTRY);

/** Files that only pass others on; a package's own index is the one place for that. */
export const barrels = (files: SourceFile[]) =>
  files
    .filter(({ path }) => /\/index\.(?:ts|mjs)$/.test(path))
    .filter(({ path }) => !/^packages\/[^/]+\/src\/index\.ts$/.test(path))
    .map(({ path }) => path);

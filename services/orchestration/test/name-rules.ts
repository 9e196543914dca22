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

export const barrels = (files: SourceFile[]) =>
  files
    .filter(({ path }) => /\/index\.(?:ts|mjs)$/.test(path))
    .filter(({ path }) => !/^packages\/[^/]+\/src\/index\.ts$/.test(path))
    .map(({ path }) => path);

const NUMBERED_RULE =
  /\bG\d{1,2}\b|\b[Gg]uarantees? G\b|\b[Cc]ontract,? \(?["\d]|\bspec\/design\b|\bthe design, section\b/;

export const numberedRules = (files: SourceFile[]) => matching(files, NUMBERED_RULE);

const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');

function anchorsOf(text: string): Set<string> {
  const prose = text.replace(/^```[\s\S]*?^```/gm, '');
  return new Set([...prose.matchAll(/^#+ (.+)$/gm)].map((match) => anchorOf(match[1] as string)));
}

const QUOTED = /\b(docs\/[\w/-]+\.md),? \(?"([^"\n]+)"/g;
const LINKED = /\]\((?!https?:|[^()\s]*\.(?:png|jpe?g|gif|webp)\))([^()\s#]*)(?:#([^()\s]+))?\)/g;
const joinComment = (text: string) => text.replace(/\n[ \t]*(?:\*|\/\/+|#|--) ?/g, ' ');

function citedBy({ path, text }: SourceFile): { file: string; anchor: string | undefined }[] {
  const quoted = [...joinComment(text).matchAll(QUOTED)].map(([, file, heading]) => ({
    file: file as string,
    anchor: anchorOf(heading as string),
  }));
  if (!path.endsWith('.md')) return quoted;
  const linked = [...text.matchAll(LINKED)].map(([, file, anchor]) => ({
    file: file ? posix.join(posix.dirname(path), file) : path,
    anchor,
  }));
  return [...quoted, ...linked];
}

/**
 * Finds citations of headings and files that do not exist. A folder counts as existing if it
 * contains files.
 */
export function deadReferences(files: SourceFile[], all = files): string[] {
  const documents = new Map(
    all.filter(({ path }) => path.endsWith('.md')).map(({ path, text }) => [path, anchorsOf(text)]),
  );
  const exists = (file: string) =>
    documents.has(file) || all.some(({ path }) => path === file || path.startsWith(`${file}/`));
  return files.flatMap((citing) =>
    citedBy(citing)
      .filter(({ file, anchor }) =>
        anchor === undefined ? !exists(file) : !documents.get(file)?.has(anchor),
      )
      .map(({ file, anchor }) => `${citing.path}: ${file}${anchor ? `#${anchor}` : ''}`),
  );
}

export function deadPaths({ text }: SourceFile, all: SourceFile[]): string[] {
  const paths = new Set(all.map(({ path }) => path));
  const named = [...text.matchAll(/`((?:packages|services|k8s)\/[\w/.-]+\.(?:ts|mjs|sql))`/g)];
  return named.map((match) => match[1] as string).filter((path) => !paths.has(path));
}

/** Returns quoted paths of compiled files for which no source file exists. */
export function uncompiledPaths(files: SourceFile[]): string[] {
  const named = /["'`](?:[^"'`\s]*\/)?dist\/(?!assets\/)([\w/.-]+)\.js["'`]/g;
  const sources = new Set(files.map(({ path }) => path.split('/src/')[1]));
  return files.flatMap(({ path, text }) =>
    [...text.matchAll(named)]
      .filter(([quoted, name]) => !quoted.includes('node_modules') && !sources.has(`${name}.ts`))
      .map(([quoted]) => `${path}: ${quoted}`),
  );
}

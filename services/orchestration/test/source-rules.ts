import { posix } from 'node:path';

export interface SourceFile {
  path: string;
  text: string;
}

export interface Imported {
  from: string;
  specifier: string;
  target: string | null;
}

const IMPORT = /(?:\bfrom|\bimport|\brequire)\s*\(?\s*'([^'\n]+)'/g;

const withoutEnding = (path: string) => path.replace(/\.(tsx?|mjs|js)$/, '');

export function importsOf({ path, text }: SourceFile): Imported[] {
  return [...text.matchAll(IMPORT)].map((match) => {
    const specifier = match[1] as string;
    const target = specifier.startsWith('.')
      ? withoutEnding(posix.join(posix.dirname(path), specifier))
      : null;
    return { from: path, specifier, target };
  });
}

export const isTest = (path: string) => /\.test\.tsx?$|\/test\/|^packages\/lab\//.test(path);
export const isCode = (path: string) => /\.(tsx?|mjs|cjs)$/.test(path);

const UNIT = /^(?:packages|services)\/[^/]+/;
const unitOf = (path: string) => UNIT.exec(path)?.[0] ?? null;
const OWN_PACKAGE = /^@switchyard\/([a-z-]+)/;

export const LAYERS: Record<string, readonly string[]> = {
  'packages/async': [],
  'packages/types': [],
  'packages/settings': [],
  'packages/db': ['async', 'settings'],
  'packages/queue': ['async', 'types'],
  'packages/runner': ['async', 'deliverer', 'sandbox', 'server', 'settings', 'types'],
  'packages/server': ['async', 'settings', 'types'],
  'packages/deliverer': ['async', 'server'],
  'packages/mcp': ['server'],
  'packages/sandbox': [],
  'packages/client': [],
  'packages/cli': ['client'],
  'packages/console': ['client'],
  'packages/testing': ['db'],
  'packages/lab': [
    'bootstrap',
    'db',
    'launcher',
    'metrics',
    'orchestration',
    'runner',
    'sandbox',
    'server',
    'types',
  ],
  'packages/bootstrap': [],
  'packages/launcher': ['bootstrap', 'sandbox', 'server', 'settings'],
  'packages/switchyard': ['bootstrap', 'cli', 'launcher'],
  'services/orchestration': [
    'async',
    'types',
    'db',
    'deliverer',
    'mcp',
    'queue',
    'runner',
    'server',
  ],
  'services/metrics': ['async', 'db', 'deliverer', 'mcp', 'server'],
};

const MANIFEST_RULES = /^k8s\/(test\/|render\.cjs$)/;

/** This file runs before packages are installed, so it cannot import them by name. */
const BEFORE_INSTALL = 'packages/lab/run.mjs';

export function unusedPairs(
  allowed: Readonly<Record<string, readonly string[]>>,
  isUsed: (from: string, to: string) => boolean,
): string[] {
  return Object.entries(allowed).flatMap(([from, all]) =>
    all.filter((to) => !isUsed(from, to)).map((to) => `${from} -> ${to}`),
  );
}

export function unusedLayers(files: SourceFile[], layers = LAYERS): string[] {
  const used = new Set(
    files
      .filter(({ path }) => !isTest(path) || path.startsWith('packages/lab/'))
      .flatMap((file) =>
        importsOf(file).map(
          ({ specifier }) => `${unitOf(file.path)} ${OWN_PACKAGE.exec(specifier)?.[1]}`,
        ),
      ),
  );
  return unusedPairs(layers, (unit, other) => used.has(`${unit} ${other}`));
}

const ONLY_IN_TESTS = ['client', 'sandbox', 'testing'];

export function layerViolations(files: SourceFile[]): string[] {
  return files.flatMap((file) => {
    const unit = unitOf(file.path);
    if (!unit) return [];
    const allowed = [...(LAYERS[unit] ?? []), ...(isTest(file.path) ? ONLY_IN_TESTS : [])];
    return importsOf(file).flatMap(({ specifier, target }) => {
      const other = OWN_PACKAGE.exec(specifier)?.[1];
      const forbidden = other
        ? !allowed.includes(other) && `packages/${other}` !== unit
        : target !== null &&
          unitOf(target) !== unit &&
          file.path !== BEFORE_INSTALL &&
          !(isTest(file.path) && MANIFEST_RULES.test(target));
      return forbidden ? [`${file.path} imports ${specifier}`] : [];
    });
  });
}

export function foreignImports(files: SourceFile[], folder: string, allowed: string[]): string[] {
  return files
    .filter((file) => file.path.startsWith(folder) && !isTest(file.path))
    .flatMap(importsOf)
    .filter(({ specifier, target }) => {
      if (target !== null || specifier.startsWith('node:')) return false;
      return !allowed.includes(specifier);
    })
    .map(({ from, specifier }) => `${from} imports ${specifier}`);
}

const FEATURE = /^services\/[^/]+\/src\/features\/([^/]+)\/(.+)$/;

export interface FeatureEdge {
  from: string;
  to: string;
  file: string;
  by: string;
}

export function featureEdges(files: SourceFile[]): FeatureEdge[] {
  const sources = files.filter((file) => FEATURE.test(file.path) && !isTest(file.path));
  return sources.flatMap(importsOf).flatMap(({ from, target }) => {
    const importer = FEATURE.exec(from)?.[1] as string;
    const [, to, name] = (target && FEATURE.exec(target)) || [];
    if (!to || to === importer) return [];
    return [{ from: importer, to, file: `${to}/${name}`, by: from }];
  });
}

export type Edge = Pick<FeatureEdge, 'from' | 'to'>;

export function fileEdges(files: SourceFile[], folder: string): Edge[] {
  return files
    .filter(({ path }) => path.startsWith(folder) && !isTest(path))
    .flatMap(importsOf)
    .filter(({ target }) => target?.startsWith(folder))
    .map(({ from, target }) => ({ from: withoutEnding(from), to: target as string }));
}

export function folderEdges(files: SourceFile[], folder: string): Edge[] {
  const nameOf = (path: string) => path.slice(folder.length).split('/')[0] as string;
  return fileEdges(files, folder)
    .map(({ from, to }) => ({ from: nameOf(from), to: nameOf(to) }))
    .filter(({ from, to }) => from !== to);
}

export function upwardImports(
  files: SourceFile[],
  folder: string,
  order: readonly string[],
): string[] {
  const nameOf = (path: string) => path.slice(folder.length).split('/')[0] as string;
  const edges = fileEdges(files, folder).filter(({ from, to }) => nameOf(from) !== nameOf(to));
  const found = [...new Set(edges.flatMap(({ from, to }) => [nameOf(from), nameOf(to)]))];
  return [
    ...edges
      .filter(({ from, to }) => order.indexOf(nameOf(from)) < order.indexOf(nameOf(to)))
      .filter(({ from, to }) => order.includes(nameOf(from)) && order.includes(nameOf(to)))
      .map(({ from, to }) => `${from} imports ${to}`),
    ...found
      .filter((name) => !order.includes(name))
      .map((name) => `${name} has no place in the order`),
    ...order
      .filter((name) => !found.includes(name))
      .map((name) => `nothing imports or is imported by ${name}`),
  ];
}

export function findCycle(edges: Edge[]): string[] | null {
  const targets = new Map<string, Set<string>>();
  for (const { from, to } of edges) targets.set(from, (targets.get(from) ?? new Set()).add(to));
  const done = new Set<string>();
  const walk = (at: string, path: string[]): string[] | null => {
    if (path.includes(at)) return [...path.slice(path.indexOf(at)), at];
    if (done.has(at)) return null;
    for (const next of targets.get(at) ?? []) {
      const found = walk(next, [...path, at]);
      if (found) return found;
    }
    done.add(at);
    return null;
  };
  for (const start of targets.keys()) {
    const found = walk(start, []);
    if (found) return found;
  }
  return null;
}

export function processStarters(files: SourceFile[], folder: string): string[] {
  return files
    .filter(({ path }) => path.startsWith(folder) && !isTest(path))
    .filter(({ text }) =>
      /['"](?:node:)?(?:child_process|cluster|worker_threads)['"]|\bas ChildEnvironment\b/.test(
        text,
      ),
    )
    .map(({ path }) => path.slice(folder.length));
}

const READS_ENVIRONMENT =
  /\bprocess\s*(?:\?\.|\.|\[\s*['"])\s*env\b|\{[^}]*\benv\b[^}]*\}\s*=\s*process\b/;

/**
 * Finds files outside config files that read the environment. A program in bin may pass the
 * environment on.
 */
export function environmentReaders(files: SourceFile[]): string[] {
  return files
    .filter(({ path }) =>
      /^(?:services|packages\/(?:async|settings|types|server|db|queue|runner))\/(?:[^/]+\/)?src\//.test(
        path,
      ),
    )
    .filter(({ path }) => !isTest(path) && !/\/(?:config\.ts|bin\/[^/]+)$/.test(path))
    .filter(({ text }) => READS_ENVIRONMENT.test(text))
    .map(({ path }) => path);
}

export const linesOf = ({ text }: SourceFile) =>
  text.split('\n').length - (text.endsWith('\n') ? 1 : 0);

export function tooLong(files: SourceFile[]): string[] {
  return files
    .map((file) => ({ path: file.path, lines: linesOf(file), most: isTest(file.path) ? 500 : 400 }))
    .filter(({ lines, most }) => lines > most)
    .map(({ path, lines, most }) => `${path}: ${lines} lines, at most ${most}`);
}

export function percentile(numbers: number[], share: number): number {
  const sorted = [...numbers].sort((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
}

import {
  barrels,
  deadPaths,
  deadReferences,
  defaultExports,
  emptyNames,
  heldBackTests,
  machinePaths,
  numberedRules,
  registryHosts,
  uncompiledPaths,
  unfinished,
} from './name-rules';
import { readRepository } from './read-repository';
import {
  environmentReaders,
  featureEdges,
  fileEdges,
  findCycle,
  folderEdges,
  foreignImports,
  isCode,
  isTest,
  layerViolations,
  linesOf,
  percentile,
  processStarters,
  tooLong,
  unusedLayers,
  unusedPairs,
  upwardImports,
} from './source-rules';

const FEATURE_EDGES: Record<string, readonly string[]> = {
  approvals: ['agents', 'issues'],
  callbacks: ['secrets'],
  changes: [
    'agents',
    'approvals',
    'companies',
    'events',
    'goals',
    'issues',
    'projects',
    'routines',
    'runs',
  ],
  checks: ['agents', 'secrets'],
  companies: ['agents', 'attachments', 'events', 'goals', 'issues', 'projects'],
  'company-files': [
    'agents',
    'companies',
    'documents',
    'goals',
    'issues',
    'labels',
    'projects',
    'routines',
  ],
  events: ['activity'],
  issues: ['callbacks', 'documents', 'events', 'goals', 'labels', 'mentions', 'projects', 'search'],
  pods: ['runners', 'runs'],
  routines: ['callbacks', 'secrets'],
  runners: ['checks', 'runs'],
  runs: ['callbacks', 'events', 'secrets'],
  threads: ['approvals', 'issues', 'mentions', 'runs'],
  webhooks: ['callbacks', 'events'],
};

const ALLOWED_NAMES = [
  'assertManager',
  'assert-manager',
  'inBase',
  'newService',
  'packageManager',
  'Service',
  'service',
  'defineServices',
  'startService',
  'startServices',
];

const DEFAULT_EXPORTS = [
  'jest.config.cjs',
  'packages/console/vite.config.ts',
  'packages/testing/jest/reporter.cjs',
  'packages/testing/jest/sequencer.cjs',
  'packages/testing/jest/timings.cjs',
  'packages/testing/src/global-setup.ts',
  'packages/testing/src/global-teardown.ts',
  'prisma/metrics/prisma.config.ts',
  'prisma/orchestration/prisma.config.ts',
];

const PART = /^(?:packages|services)\/[^/]+\/src\//;

/**
 * Folders and files of the orchestration service, lowest layer first. Each may only import from
 * lines above its own.
 */
const FLOORS = [
  'adapters',
  'settings',
  'config',
  'kernel',
  'lists',
  'state',
  'access',
  'route',
  'features',
  'observability',
  'http',
  'work',
  'create-context',
  'backup',
  'bin',
];

const STATE_FLOORS = [
  'statuses',
  'names',
  'until-decided',
  'references',
  'deliveries',
  'companies',
  'budgets',
  'agents',
  'runs',
  'costs',
  'wakeups',
  'runners',
  'issues',
  'approvals',
  'routines',
  'rehint',
];

const planted = (path: string, text: string) => [{ path, text }];
const FEATURES = 'services/orchestration/src/features';

describe('the repository', () => {
  const files = readRepository();
  const code = files.filter(({ path }) => isCode(path) && !path.endsWith('/boundaries.test.ts'));
  const sources = code.filter((file) => !isTest(file.path));

  it('contains more than 150 source files and more than 20 imports between features', () => {
    expect(sources.length).toBeGreaterThan(150);
    expect(featureEdges(code).length).toBeGreaterThan(20);
  });

  it('has packages that import only from lower layers', () => {
    expect(layerViolations(code)).toEqual([]);
    expect(unusedLayers(code)).toEqual([]);
    const imports = planted('packages/db/src/a.ts', "import '@switchyard/types';");
    expect(unusedLayers(imports, { 'packages/db': ['async', 'types'] })).toEqual([
      'packages/db -> async',
    ]);
    const importing = (path: string, what: string) =>
      layerViolations(planted(path, `import '${what}';`));
    expect(importing('packages/types/src/a.ts', '@switchyard/db')).toHaveLength(1);
    expect(importing('packages/db/src/a.ts', '@switchyard/server')).toHaveLength(1);
    expect(importing('services/metrics/src/a.ts', '@switchyard/orchestration')).toHaveLength(1);
    expect(importing('services/metrics/src/a.ts', '../../orchestration/src/a')).toHaveLength(1);
    expect(importing('services/metrics/src/a.ts', '@switchyard/testing')).toHaveLength(1);
    expect(importing('services/metrics/src/a.test.ts', '@switchyard/testing')).toEqual([]);
    expect(importing('packages/console/src/a.tsx', '@switchyard/db')).toHaveLength(1);
    expect(importing('services/orchestration/src/a.ts', '@switchyard/console')).toHaveLength(1);
    expect(importing('packages/new/src/a.ts', '@switchyard/types')).toHaveLength(1);
    expect(importing('services/metrics/src/a/b.ts', '../c')).toEqual([]);
  });

  it('has a types package that imports only zod, and a bootstrap package that imports only Node modules', () => {
    expect(foreignImports(code, 'packages/types/', ['zod'])).toEqual([]);
    expect(foreignImports(code, 'packages/bootstrap/', [])).toEqual([]);
    const pg = planted(
      'packages/types/src/a.ts',
      "import { Pool } from 'pg';\nconst x = await import('pg');",
    );
    expect(foreignImports(pg, 'packages/types/', ['zod'])).toHaveLength(2);
    expect(
      foreignImports(planted('packages/types/src/a.ts', "import 'node:fs';"), 'packages/', []),
    ).toEqual([]);
  });

  it('lists no database, queue or web framework among the dependencies of the runner', () => {
    const manifest = files.find(({ path }) => path === 'packages/runner/package.json')?.text;
    const { dependencies } = JSON.parse(manifest ?? '');
    const names = Object.keys(dependencies).filter((name) =>
      /^(?:pg|express|bullmq|ioredis|@?prisma\b.*|@switchyard\/(?:db|queue|console))$/.test(name),
    );
    expect(names).toEqual([]);
  });

  it('has no import cycle between features, and only the imports that FEATURE_EDGES lists', () => {
    const edges = featureEdges(code);
    expect(findCycle(edges)).toBeNull();
    const unknown = edges.filter(({ from, to }) => !FEATURE_EDGES[from]?.includes(to));
    expect(unknown).toEqual([]);
    const isUsed = (from: string, to: string) =>
      edges.some((edge) => edge.from === from && edge.to === to);
    expect(unusedPairs(FEATURE_EDGES, isUsed)).toEqual([]);
    expect(unusedPairs({ pods: ['runs', 'labels'] }, isUsed)).toEqual(['pods -> labels']);
    const declared = Object.entries(FEATURE_EDGES).flatMap(([from, all]) =>
      all.map((to) => ({ from, to })),
    );
    expect(findCycle(declared)).toBeNull();
    const isVerb = (file: string) => !/\/present-|\.routes$/.test(file);
    expect(edges.filter(({ file }) => !isVerb(file))).toEqual([]);

    const one = planted(`${FEATURES}/agents/a.ts`, "import { b } from '../issues/issues.routes';");
    const back = planted(`${FEATURES}/issues/b.ts`, "import type { a } from '../agents/a';");
    expect(findCycle(featureEdges([...one, ...back]))).toEqual(['agents', 'issues', 'agents']);
    expect(featureEdges(one)).toMatchObject([
      { from: 'agents', to: 'issues', file: 'issues/issues.routes' },
    ]);
    expect(isVerb('issues/issues.routes')).toBe(false);
    expect(isVerb('issues/present-wake')).toBe(false);
    expect(isVerb('agents/pause-agent')).toBe(true);
  });

  it('has no import cycle in the metrics service, and no import of an individual kind in its generic folders', () => {
    const folder = 'services/metrics/src/';
    const edges = folderEdges(code, folder);
    expect(edges.length).toBeGreaterThan(50);
    expect(findCycle(fileEdges(code, folder))).toBeNull();
    expect(findCycle(edges)).toBeNull();

    const perKind = (files: typeof code) =>
      fileEdges(files, folder).filter(
        ({ from, to }) =>
          /^(?:collection|history|dashboard|exposition)\//.test(from.slice(folder.length)) &&
          /^kinds\/[^/]+\//.test(to.slice(folder.length)),
      );
    expect(perKind(code)).toEqual([]);
    const named = planted(`${folder}history/a.ts`, "import { GRID } from '../kinds/grid/grid';");
    expect(perKind(named)).toHaveLength(1);

    const down = planted(`${folder}a/one.ts`, "import { two } from '../b/two';");
    const back = planted(`${folder}b/three.ts`, "import type { one } from '../a/one';");
    expect(findCycle(fileEdges([...down, ...back], folder))).toBeNull();
    expect(findCycle(folderEdges([...down, ...back], folder))).toEqual(['a', 'b', 'a']);
    const same = planted(`${folder}b/two.ts`, "import type { one } from '../a/one';");
    expect(findCycle(fileEdges([...down, ...same], folder))).toHaveLength(3);
  });

  it('has no import cycle in any package or service, even through type imports', () => {
    const found = code.map(({ path }) => PART.exec(path)?.[0]).filter((part) => part !== undefined);
    const parts = [...new Set(found)];
    const circles = (files: typeof code) =>
      parts.map((part) => findCycle(fileEdges(files, part))).filter((circle) => circle !== null);
    expect(parts).toContain('services/orchestration/src/');
    expect(fileEdges(code, 'packages/console/src/').length).toBeGreaterThan(500);
    expect(circles(code)).toEqual([]);

    const screen = planted('packages/console/src/a/screen.tsx', "import { Part } from './part';");
    const part = planted('packages/console/src/a/part.tsx', "import type { A } from './screen';");
    expect(circles([...screen, ...part])).toEqual([
      ['screen', 'part', 'screen'].map((name) => `packages/console/src/a/${name}`),
    ]);
    expect(circles(screen)).toEqual([]);
  });

  it('has layers in the orchestration service that import only from lower layers', () => {
    const folder = 'services/orchestration/src/';
    expect(upwardImports(code, folder, FLOORS)).toEqual([]);
    expect(upwardImports(code, `${folder}state/`, STATE_FLOORS)).toEqual([]);
    const state = planted(`${folder}state/a.ts`, "import type { A } from '../features/b/c';");
    expect(upwardImports(state, folder, ['state', 'features'])).toEqual([
      `${folder}state/a imports ${folder}features/b/c`,
    ]);
    expect(upwardImports(state, folder, ['features', 'state'])).toEqual([]);
    expect(upwardImports(state, folder, ['features', 'kernel', 'state'])).toEqual([
      'nothing imports or is imported by kernel',
    ]);
    expect(upwardImports(state, folder, ['features'])).toEqual(['state has no place in the order']);
  });

  it('reads environment variables only in config.ts', () => {
    expect(environmentReaders(code)).toEqual([]);
    const reads = ['process.env.X', 'process?.env', "process['env']", 'const { env } = process;'];
    for (const text of reads) {
      expect(environmentReaders(planted('services/metrics/src/a.ts', text))).toHaveLength(1);
      expect(environmentReaders(planted('packages/db/src/a.ts', text))).toHaveLength(1);
      expect(environmentReaders(planted('services/metrics/src/config.ts', text))).toEqual([]);
      expect(environmentReaders(planted('services/metrics/src/bin/a.ts', text))).toEqual([]);
    }
    expect(
      environmentReaders(planted('services/metrics/src/a.ts', 'run(process.environment)')),
    ).toEqual([]);
  });

  it('starts child processes only in the listed files', () => {
    const folder = 'packages/runner/src/';
    expect(processStarters(code, folder).sort()).toEqual([
      'agents/environment/child-environment.ts',
    ]);
    expect(processStarters(code, 'packages/sandbox/src/').sort()).toEqual([
      'children/spawn-process.ts',
      'run-ps.ts',
    ]);
    expect(processStarters(code, 'services/orchestration/src/')).toEqual([]);
    expect(processStarters(code, 'services/metrics/src/')).toEqual([]);
    for (const text of [
      "import { exec } from 'node:child_process';",
      'const { fork } = require("child_process");',
      'spawnChild({ environment: {} as ChildEnvironment });',
    ]) {
      expect(processStarters(planted(`${folder}a.ts`, text), folder)).toEqual(['a.ts']);
    }
  });

  it('contains no source file over 400 lines and no test file over 500 lines', () => {
    expect(tooLong(code)).toEqual([]);
    const lengths = sources.map(linesOf);
    expect(percentile(lengths, 0.5)).toBeLessThanOrEqual(60);
    expect(percentile(lengths, 0.95)).toBeLessThanOrEqual(250);

    expect(tooLong(planted('packages/db/src/a.ts', 'x\n'.repeat(401)))).toHaveLength(1);
    expect(tooLong(planted('packages/db/src/a.ts', 'x\n'.repeat(400)))).toEqual([]);
    expect(tooLong(planted('packages/db/src/a.test.ts', 'x\n'.repeat(501)))).toHaveLength(1);
    expect(percentile([1, 2, 3, 100], 0.5)).toBe(2);
    expect(percentile([1, 2, 3, 100], 0.95)).toBe(100);
  });

  it('contains no meaningless names, such as Utils or Manager', () => {
    expect(emptyNames(code, ALLOWED_NAMES)).toEqual([]);
    const needed = emptyNames(code, []).map((found) => found.split(' ').at(-1));
    expect(ALLOWED_NAMES.filter((name) => !needed.includes(name))).toEqual([]);
    const bad = [
      'class IssueService {}',
      'interface IAgent {}',
      'type BaseRow = {}',
      'export const requestHandler = 1;',
      'function dateUtils() {}',
      'enum RunManager {}',
      'const repositoryImpl = 1;',
    ];
    for (const text of bad) expect(emptyNames(planted('a/b.ts', text), [])).toHaveLength(1);
    const paths = ['a/string-utils.ts', 'a/helpers.ts', 'a/issue-service.test.ts', 'a/base.ts'];
    for (const path of paths) expect(emptyNames(planted(path, ''), [])).toHaveLength(1);
    const good =
      'const baseRevisionId = 1; type Issue = {}; interface Input {} const database = 1; // a service';
    expect(emptyNames(planted('a/database.ts', good), [])).toEqual([]);
  });

  it('has no default exports except those that a tool requires, and has re-exports only in package index files', () => {
    const found = defaultExports(sources).map((place) => place.split(':')[0]);
    expect(found.sort()).toEqual(DEFAULT_EXPORTS);
    expect(barrels(code)).toEqual([]);
    for (const text of ['export default 1;', 'export { a as default };', 'module.exports = 1;']) {
      expect(defaultExports(planted('a.ts', text))).toEqual(['a.ts:1']);
    }
    expect(barrels(planted(`${FEATURES}/agents/index.ts`, ''))).toHaveLength(1);
  });

  it('contains no unfinished code and no skipped tests', () => {
    expect(unfinished(files)).toEqual([]);
    expect(heldBackTests(code)).toEqual([]);
    expect(unfinished(planted('a.md', `x\n<!-- ${'TO'}${'DO'} -->`))).toEqual(['a.md:2']);
    for (const word of ['only', 'skip']) {
      expect(heldBackTests(planted('a.test.ts', `it.${word}('x')`))).toHaveLength(1);
      expect(heldBackTests(planted('a.test.ts', `describe.each.${word}('x')`))).toHaveLength(1);
    }
    expect(heldBackTests(planted('a.test.ts', `x${'it'}('x')`))).toHaveLength(1);
    expect(heldBackTests(planted('a.test.ts', "exit('x')"))).toEqual([]);
  });

  it('contains no path on a developer’s machine, and no address of a package registry', () => {
    expect(machinePaths(files)).toEqual([]);
    expect(registryHosts(files)).toEqual([]);
    for (const folder of ['home', 'Users', 'root', 'work']) {
      expect(machinePaths(planted('a.ts', `const x = '/${folder}/me/x';`))).toHaveLength(1);
    }
    expect(machinePaths(planted('a.ts', "'/api/work/x' + '/var/tmp/switchyard'"))).toEqual([]);
    const host = ['registry', 'npmjs', 'org'].join('.');
    expect(
      registryHosts(planted('a.yaml', `resolution: {tarball: https://${host}/x}`)),
    ).toHaveLength(1);
    expect(registryHosts(planted('a.yaml', `  ${'tarball'}: https://example.com/x`))).toHaveLength(
      1,
    );
    expect(registryHosts(planted('a.ts', 'metrics.registry.contentType'))).toEqual([]);
  });

  it('refers only to existing headings and files', () => {
    const prose = files.filter(({ path }) => !path.endsWith('/boundaries.test.ts'));
    expect(numberedRules(prose)).toEqual([]);
    expect(deadReferences(prose, files)).toEqual([]);
    const guarantees = files.find(({ path }) => path === 'docs/guarantees.md');
    expect(guarantees && deadPaths(guarantees, files)).toEqual([]);

    for (const text of ['(guarantee G2)', '(G11).', 'contract 16', '(contract, "Errors")']) {
      expect(numberedRules(planted('a.ts', `// as it must be ${text}`))).toEqual(['a.ts:1']);
    }
    expect(
      numberedRules(planted('a.ts', '// docs/contract.md, "Errors"; 3G; the contract')),
    ).toEqual([]);
    const document = planted('docs/a.md', '# A page\n\n## What it says, `now`\n');
    const dead = (path: string, text: string) =>
      deadReferences([...document, ...planted(path, text)]);
    expect(dead('b.ts', '// (docs/a.md, "What it says,\n// now")')).toEqual([]);
    expect(dead('b.ts', '// docs/a.md ("What it says")')).toHaveLength(1);
    expect(
      dead('docs/b.md', '[a](a.md#what-it-says-now), [b](../docs/a.md), [c](#d)\n# D'),
    ).toEqual([]);
    expect(dead('docs/b.md', '[a](a.md#nothing), [b](c.md), [c](#d)')).toHaveLength(3);
    const shown = { path: 'docs/a.md', text: '`services/a/b.test.ts`' };
    expect(deadPaths(shown, planted('services/a/b.test.ts', ''))).toEqual([]);
    expect(deadPaths(shown, [])).toHaveLength(1);
  });

  it('names only compiled files that have a source file', () => {
    const code = files.filter(({ path }) => !/\.md$|\/boundaries\.test\.ts$/.test(path));
    expect(uncompiledPaths(code)).toEqual([]);
    const caller = { path: 'run.mjs', text: "import('./services/a/dist/b/c.js')" };
    expect(uncompiledPaths([caller])).toHaveLength(1);
    const source = planted('services/a/src/b/c.ts', '');
    expect(uncompiledPaths([caller, ...source])).toHaveLength(0);
  });
});

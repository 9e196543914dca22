import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PASSWORD, useAuthenticatedHarness } from './authenticated-harness';
import { packByNpm, packDependencies, ROOT } from './packed';

const run = promisify(execFile);
const CLIENT = join(ROOT, 'packages/client');
const COMPILERS = {
  'TypeScript 5': join(CLIENT, 'node_modules/typescript/bin/tsc'),
  'TypeScript 7': join(ROOT, 'node_modules/typescript/bin/tsc'),
};
const PACKING_MS = 120_000;

describe('the packed client package', () => {
  const harness = useAuthenticatedHarness({ config: { companyFounders: 'everybody' } });
  const folder = mkdtempSync(join(tmpdir(), 'foreign-'));
  const archives: Record<string, string> = {};
  let contents: string[] = [];

  beforeAll(async () => {
    const { dependency, files } = await packByNpm(CLIENT, folder);
    contents = files;
    Object.assign(archives, await packDependencies(CLIENT, folder));
    archives['@switchyard/client'] = dependency;
  }, PACKING_MS);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('contains the runtime files and their types, but no build files', () => {
    expect(contents).toEqual(
      expect.arrayContaining(['README.md', 'package.json', 'dist/index.js']),
    );
    const others = contents.filter((file) => !/^dist\/.+\.(js|d\.ts)$/.test(file));
    expect(others.sort()).toEqual(['README.md', 'package.json']);
  });

  it.each(['module', 'commonjs'])(
    'can be installed with npm in a project of type %s, compiles strictly and works',
    async (type) => {
      const project = join(folder, type);
      mkdirSync(project);
      const write = (name: string, value: unknown) =>
        writeFileSync(join(project, name), JSON.stringify(value));
      write('package.json', { name: 'foreign', private: true, type, dependencies: archives });
      write('tsconfig.json', {
        compilerOptions: {
          target: 'es2022',
          module: 'nodenext',
          strict: true,
          exactOptionalPropertyTypes: true,
          noUncheckedIndexedAccess: true,
          noPropertyAccessFromIndexSignature: true,
          verbatimModuleSyntax: type === 'module',
          skipLibCheck: false,
          types: [],
        },
        files: ['story.ts'],
      });
      copyFileSync(join(__dirname, 'foreign/story.ts'), join(project, 'story.ts'));
      const install = ['install', '--offline', '--no-audit', '--no-fund', '--ignore-scripts'];
      await run('npm', install, { cwd: project });
      for (const compiler of Object.values(COMPILERS)) {
        await run(process.execPath, [compiler, '-p', project]).catch(({ stdout }) => {
          throw new Error(stdout);
        });
      }

      const { email } = await harness.person();
      const args = [join(project, 'story.js'), harness.url, email, PASSWORD];
      const { stdout } = await run(process.execPath, args);
      expect(JSON.parse(stdout)).toEqual({
        user: email,
        after: 'unauthenticated',
        titles: ['One', 'Three', 'Two'],
        events: ['goal.created', 'goal.created', 'same'],
        run: 'cancelled',
        fired: ['webhook', 'invalid_signature'],
      });
    },
    PACKING_MS,
  );
});

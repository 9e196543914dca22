import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { waitForLock } from '../process/lock.mjs';
import { run } from '../process/run.mjs';
import { notice, step } from '../terminal/steps.mjs';
import { ask } from './installed.mjs';

/** Server first, then the package that holds its binary on Debian 12 and older. */
const FAMILIES = [
  ['redis-server', 'redis-tools'],
  ['valkey-server', 'valkey-tools'],
];
const LIBRARY = /^(lib|lua-)/;
const OF_THE_SYSTEM = 'libc6';
const DEPTH = 4;

/** Private lists and caches: needs no root and leaves the system's own as they are. */
function privateOptions(cache) {
  const options = [
    `Dir::State::lists=${cache}/lists`,
    `Dir::Cache=${cache}/apt`,
    'Acquire::Languages=none',
    'Acquire::IndexTargets::deb::Contents-deb::DefaultEnabled=false',
    'Acquire::Retries=1',
    'Acquire::http::Timeout=10',
    'Acquire::https::Timeout=10',
  ];
  if (process.getuid?.() === 0) options.push('APT::Sandbox::User=root');
  return options.flatMap((option) => ['-o', option]);
}

const systemOptions = (cache) => ['-o', `Dir::Cache=${cache}/apt`, '-o', 'APT::Sandbox::User=root'];

async function download(names, options, { cwd, signal }) {
  const { code } = await run('apt-get', [...options, 'download', ...names], { cwd, signal });
  return code === 0;
}

async function dependencies(names, options, signal) {
  const rules = ['recommends', 'suggests', 'conflicts', 'breaks', 'replaces', 'enhances'];
  const args = [...options, 'depends', ...rules.map((rule) => `--no-${rule}`), ...names];
  const { output } = await run('apt-cache', args, { signal });
  const found = [...output.matchAll(/^\s+\|?(?:Pre)?Depends: ([\w.+-]+)$/gm)].map(
    ([, name]) => name,
  );
  return found.filter((name) => LIBRARY.test(name) && name !== OF_THE_SYSTEM);
}

async function unpackAll(cwd, root, signal) {
  for (const file of readdirSync(cwd).filter((name) => name.endsWith('.deb'))) {
    await run('dpkg', ['-x', path.join(cwd, file), root], { signal });
    rmSync(path.join(cwd, file));
  }
}

/** Everything named lib*.so*, wherever the package put it. */
function libraryFolders(root) {
  const files = readdirSync(root, { recursive: true }).filter((name) => /\.so(\.|$)/.test(name));
  return [...new Set(files.map((name) => path.join(root, path.dirname(name))))].sort();
}

function environment(root) {
  const folders = [...libraryFolders(root), process.env.LD_LIBRARY_PATH].filter(Boolean);
  return { LD_LIBRARY_PATH: folders.join(path.delimiter) };
}

function probe(root, server, home = root) {
  const command = path.join(root, 'usr/bin', server);
  const version = ask(command, { ...process.env, ...environment(root) });
  if (!version) return undefined;
  const at = environment(root).LD_LIBRARY_PATH.replaceAll(root, home);
  const label = `${version.product} ${version.text} from the distribution's package`;
  return {
    command: path.join(home, 'usr/bin', server),
    env: { LD_LIBRARY_PATH: at },
    label,
  };
}

/** Libraries that this system lacks are added a level of dependencies at a time, until it runs. */
async function assemble([server, tools], options, { draft, home, signal }) {
  const at = { cwd: path.join(draft, 'packages'), signal };
  const root = path.join(draft, 'root');
  for (const folder of [at.cwd, root]) mkdirSync(folder, { recursive: true });
  if (!(await download([server, tools], options, at))) return undefined;
  let level = [server, tools];
  const seen = new Set(level);
  for (let depth = 0; depth < DEPTH; depth += 1) {
    await unpackAll(at.cwd, root, signal);
    const found = probe(root, server, path.join(home, 'root'));
    if (found) return found;
    level = (await dependencies(level, options, signal)).filter((name) => !seen.has(name));
    for (const name of level) seen.add(name);
    if (level.length === 0 || !(await download(level, options, at))) return undefined;
  }
  return undefined;
}

function unpacked(home) {
  const root = path.join(home, 'root');
  for (const [server] of FAMILIES) {
    const found = existsSync(path.join(root, 'usr/bin', server)) && probe(root, server);
    if (found) return found;
  }
  return undefined;
}

const isDebianLike = () => ['/usr/bin/apt-get', '/usr/bin/dpkg'].every((file) => existsSync(file));

async function freshLists(draft, signal) {
  const options = privateOptions(draft);
  mkdirSync(path.join(draft, 'lists/partial'), { recursive: true });
  const { code } = await run('apt-get', [...options, 'update'], { signal });
  return code === 0 ? options : undefined;
}

async function unpackNew(home, signal) {
  const draft = `${home}.new`;
  const ways = [() => systemOptions(draft), () => freshLists(draft, signal)];
  try {
    for (const way of ways) {
      rmSync(draft, { recursive: true, force: true });
      mkdirSync(path.join(draft, 'apt/archives/partial'), { recursive: true });
      const options = await way();
      for (const family of options ? FAMILIES : []) {
        const found = await assemble(family, options, { draft, home, signal });
        if (found) return settle(draft, home, found);
      }
    }
    return undefined;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

async function announced(unpack) {
  const outcome = await step("unpack the distribution's Redis package", async () => {
    const found = await unpack();
    return { found, text: found ? `${found.label} unpacked` : 'no Redis package to be had here' };
  });
  return outcome.found;
}

/** The distribution's own package, unpacked below the project: with the lists at hand, else fresh ones. */
export async function fromPackage(home, { signal }) {
  if (!isDebianLike()) return undefined;
  const onWait = ({ pid }) => notice(`waiting for process ${pid}, which unpacks Redis here`);
  const release = await waitForLock(`${home}.lock`, { signal, onWait });
  try {
    return unpacked(home) ?? (await announced(() => unpackNew(home, signal)));
  } finally {
    release();
  }
}

function settle(draft, home, found) {
  for (const part of ['lists', 'apt', 'packages']) {
    rmSync(path.join(draft, part), { recursive: true, force: true });
  }
  rmSync(home, { recursive: true, force: true });
  renameSync(draft, home);
  return found;
}

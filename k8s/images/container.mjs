import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const BUILDAH = { STORAGE_DRIVER: 'vfs', ...process.env, BUILDAH_ISOLATION: 'chroot' };
const buildah = (...args) => execFileSync('buildah', args, { env: BUILDAH }).toString().trim();

/** A built image unpacked, with what it says of itself; `remove` throws it away. */
export function unpack(image) {
  const { config } = JSON.parse(buildah('inspect', '--type', 'image', image)).Docker;
  const container = buildah('from', image);
  const root = buildah('mount', container);
  return { config, root, remove: () => buildah('rm', container) };
}

/**
 * What a container engine does, without one: namespaces of its own for mounts and processes, the root file
 * system read-only, /tmp in memory, no root, the image's environment. The network is the machine's.
 */
const ENTER = `
set -e
root=$1; shift
mount --bind "$root" "$root"
for pair in $BINDS; do mount --bind "\${pair%%:*}" "$root/\${pair#*:}"; done
mount -o remount,ro,bind "$root"
mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
exec env -i "$@"
`;

const childOf = (pid) =>
  Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')[0]);

/** Runs one command of an image. `binds`: folder of this machine → place inside. */
export function run({ config, root }, { entrypoint, command, env = {}, binds = {}, names = [] }) {
  writeFileSync(path.join(root, 'etc/hosts'), `127.0.0.1 localhost ${names.join(' ')}\n`);
  for (const place of Object.values(binds)) mkdirSync(path.join(root, place), { recursive: true });
  const variables = {
    ...Object.fromEntries(config.Env.map((line) => line.split(/=(.*)/s))),
    ...env,
  };
  const words = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
  const user = `--userspec=${config.User}`;
  const inside = [
    'sh',
    '-c',
    'cd "$0" && exec "$@"',
    config.WorkingDir,
    ...(entrypoint ?? config.Entrypoint),
    ...command,
  ];
  const chroot = ['chroot', '--groups=', user, root, ...inside];
  const pairs = Object.entries(binds).map(([from, to]) => `${from}:${to}`);
  const child = spawn(
    'unshare',
    ['--mount', '--pid', '--fork', 'sh', '-c', ENTER, 'enter', root, ...words, ...chroot],
    { env: { PATH: process.env.PATH, BINDS: pairs.join(' ') }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const said = { text: '' };
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      said.text += chunk;
    });
  }
  const ended = new Promise((resolve) => child.once('close', (code) => resolve(code)));
  return {
    said,
    ended,
    /** Process 1 of the container, as this machine numbers it. */
    first: () => childOf(child.pid),
    signal: (name) => process.kill(childOf(child.pid), name),
    /** With its process 1 a container's others end. */
    kill: () => {
      try {
        process.kill(childOf(child.pid), 'SIGKILL');
      } catch {
        child.kill('SIGKILL');
      }
    },
  };
}

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

const { CONTAINER_ENGINE: ENGINE = 'docker', RUNNER_IMAGE: IMAGE = 'switchyard-runner:local' } =
  process.env;
export const NODE_OF_IMAGE = '/usr/local/bin/node';
export const PROGRAM_OF_IMAGE = '/app/dist/bin/runner.js';

export const CONTAINER_USER = process.getuid?.() === 0 ? 10_001 : (process.getuid?.() ?? 10_001);
const asCaller = process.getuid?.() === 0 ? { uid: 0, gid: 0 } : {};

interface RunnerContainer {
  pid: number;
  end(): Promise<unknown>;
}

/**
 * Starts the runner's image like docker-compose.yml: no root, no capabilities, a read-only root
 * file system, the engine's own seccomp filter. Uses the host's network, which reaches more
 * addresses than Compose's.
 */
export async function startRunnerContainer(
  folders: readonly string[],
  environment: Record<string, string>,
): Promise<RunnerContainer> {
  const name = `switchyard-runner-${process.pid}-${Date.now()}`;
  const engine = (...args: string[]) =>
    execFileSync(ENGINE, args, { encoding: 'utf8', stdio: 'pipe', cwd: '/', ...asCaller });
  const confined = [
    ...['--network', 'host', '--read-only', '--tmpfs', '/tmp:exec,mode=1777', '--cap-drop', 'ALL'],
    ...['--security-opt', 'no-new-privileges', '--user', `${CONTAINER_USER}:${CONTAINER_USER}`],
  ];
  const places = ['/data', ...folders.map((path) => `${path}:${path}`)];
  const mounted = places.flatMap((mount) => ['--volume', mount]);
  const variables = Object.entries(environment).flatMap(([key, value]) => [
    '--env',
    `${key}=${value}`,
  ]);
  const child = spawn(
    ENGINE,
    [...['run', '--rm', '--name', name, ...confined, ...mounted, ...variables], IMAGE],
    { stdio: ['ignore', 'pipe', 'pipe'], cwd: '/', ...asCaller },
  );
  const said: string[] = [];
  const ended = once(child, 'exit');
  await new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on('line', (line) => {
        said.push(line);
        if (line.includes('"runner is ready"')) resolve();
      });
    }
    child.once('error', reject);
    void ended.then(() => reject(new Error(`the container ended: ${said.join('\n')}`)));
  });
  const [container] = JSON.parse(engine('inspect', name));
  return {
    pid: container.State.Pid,
    end: async () => {
      engine('stop', '--time', '10', name);
      await ended;
    },
  };
}

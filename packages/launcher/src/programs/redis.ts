import path from 'node:path';
import { notice } from '@switchyard/bootstrap/terminal';
import { UserError } from '@switchyard/bootstrap/user-error';
import { findOnPath, versionOf } from './find.js';
import { unpackPackage } from './unpack.js';

export interface Redis {
  command: string;
  env: NodeJS.ProcessEnv;
  label: string;
}

const SERVERS = ['valkey-server', 'redis-server'];

const BEYOND_PATH = ['/opt/homebrew/bin', '/usr/local/bin'];

export async function seekRedis(
  root: string,
  env: NodeJS.ProcessEnv,
  { signal, variable = 'REDIS_URL' }: { signal: AbortSignal; variable?: string },
): Promise<Redis> {
  const found = (await findInstalledRedis(env)) ?? (await fromPackage(root, signal));
  if (found) return found;
  throw new UserError(
    'Neither Redis (6.2 or newer) nor Valkey is installed, and no package is available.',
    suggestions(variable),
  );
}

export async function findInstalledRedis(env: NodeJS.ProcessEnv): Promise<Redis | undefined> {
  for (const command of findOnPath(SERVERS, env, BEYOND_PATH)) {
    const version = parseRedisVersion(await versionOf(command));
    if (!version) continue;
    if (isRecent(version)) return { command, env: {}, label: version.label };
    notice(`${command} is ${version.label}, which is too old (6.2 is required) and not used`);
  }
  return undefined;
}

async function fromPackage(root: string, signal: AbortSignal): Promise<Redis | undefined> {
  const wanted = {
    product: 'Redis',
    packages: SERVERS.toReversed(),
    programs: SERVERS.toReversed().map((name) => `usr/bin/${name}`),
  };
  const found = await unpackPackage(wanted, path.join(root, '.cache/redis'), signal);
  if (!found) return undefined;
  const { command, libraries, version } = found;
  const label = `${parseRedisVersion(version)?.label} from the distribution's package`;
  const searched = [libraries, process.env.LD_LIBRARY_PATH].filter(Boolean).join(':');
  return { command, env: { LD_LIBRARY_PATH: searched }, label };
}

export function parseRedisVersion(text = '') {
  const [, product, version] = /\b(Redis|Valkey) server v=(\d+\.\d+\.\d+)/.exec(text) ?? [];
  if (!version) return undefined;
  const [major, minor] = version.split('.').map(Number) as [number, number, number];
  return { major, minor, label: `${product} ${version}` };
}

export const isRecent = ({ major, minor }: { major: number; minor: number }) =>
  major > 6 || (major === 6 && minor >= 2);

function suggestions(variable: string): string {
  const install =
    process.platform === 'darwin'
      ? 'brew install redis'
      : 'the package redis-server or valkey-server of your distribution';
  return [
    `Choose one of three ways. Install it: ${install}.`,
    `Or run one in Docker and set ${variable}=redis://:choose-one@127.0.0.1:6379 :
         docker run -d -p 127.0.0.1:6379:6379 redis:8 redis-server --requirepass choose-one`,
    `Or set ${variable} to an existing server: redis://:password@host:6379.`,
  ].join('\n       ');
}

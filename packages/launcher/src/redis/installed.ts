import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { notice } from '@switchyard/bootstrap/terminal';

/** A server that can be started here. */
export interface Redis {
  command: string;
  env: NodeJS.ProcessEnv;
  label: string;
}

const NAMES = ['valkey-server', 'redis-server'];

/** Homebrew's, which the PATH of an editor or a service often lacks. */
const BEYOND_PATH = ['/opt/homebrew/bin', '/usr/local/bin'];

export function findInstalled(env: NodeJS.ProcessEnv): Redis | undefined {
  const onPath = (env.PATH ?? '').split(path.delimiter).filter(Boolean);
  const folders = [...new Set([...onPath, ...BEYOND_PATH])];
  const programs = NAMES.flatMap((name) => folders.map((folder) => path.join(folder, name)));
  for (const command of programs.filter((file) => existsSync(file))) {
    const version = versionOf(command);
    if (!version) continue;
    if (isRecent(version)) return { command, env: {}, label: version.label };
    notice(`${command} is ${version.label}: too old (6.2 is needed), not used`);
  }
  return undefined;
}

export function versionOf(program: string, env = process.env) {
  try {
    const options = { env, encoding: 'utf8', stdio: 'pipe', timeout: 10_000 } as const;
    return parseRedisVersion(execFileSync(program, ['--version'], options));
  } catch {
    return undefined;
  }
}

/** `Redis server v=7.0.15 sha=…` and `Valkey server v=8.0.1 sha=…`. */
export function parseRedisVersion(text: string) {
  const [, product, version] = /\b(Redis|Valkey) server v=(\d+\.\d+\.\d+)/.exec(text) ?? [];
  if (!version) return undefined;
  const [major, minor] = version.split('.').map(Number) as [number, number, number];
  return { major, minor, label: `${product} ${version}` };
}

export const isRecent = ({ major, minor }: { major: number; minor: number }) =>
  major > 6 || (major === 6 && minor >= 2);

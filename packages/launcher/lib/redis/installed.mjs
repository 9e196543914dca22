import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { notice } from '../terminal/steps.mjs';
import { isRecent, parseRedisVersion } from './version.mjs';

const NAMES = ['valkey-server', 'redis-server'];

/** Homebrew's, which the PATH of an editor or a service often lacks. */
const BEYOND_PATH = ['/opt/homebrew/bin', '/usr/local/bin'];

export function ask(program, env = process.env) {
  try {
    const options = { env, encoding: 'utf8', stdio: 'pipe', timeout: 10_000 };
    return parseRedisVersion(execFileSync(program, ['--version'], options));
  } catch {
    return undefined;
  }
}

export function findInstalled(env) {
  const onPath = (env.PATH ?? '').split(path.delimiter).filter(Boolean);
  const folders = new Set([...onPath, ...BEYOND_PATH]);
  for (const name of NAMES) {
    for (const folder of folders) {
      const program = path.join(folder, name);
      const version = existsSync(program) ? ask(program) : undefined;
      if (!version) continue;
      const label = `${version.product} ${version.text}`;
      if (isRecent(version)) return { command: program, env: {}, label };
      notice(`${program} is ${label}: too old (6.2 is needed), not used`);
    }
  }
  return undefined;
}

import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { notice } from '../terminal/steps.mjs';
import { isRecent, parseRedisVersion } from './version.mjs';

const NAMES = ['valkey-server', 'redis-server'];

export function ask(program, env = process.env) {
  try {
    const options = { env, encoding: 'utf8', stdio: 'pipe', timeout: 10_000 };
    return parseRedisVersion(execFileSync(program, ['--version'], options));
  } catch {
    return undefined;
  }
}

export function findInstalled(env) {
  const folders = (env.PATH ?? '').split(path.delimiter).filter(Boolean);
  for (const name of NAMES) {
    for (const folder of folders) {
      const program = path.join(folder, name);
      const version = existsSync(program) ? ask(program) : undefined;
      if (!version) continue;
      const label = `${version.product} ${version.text}`;
      if (isRecent(version)) return { command: program, args: [], env: {}, label };
      notice(`${program} is ${label}: too old (6.2 is needed), not used`);
    }
  }
  return undefined;
}

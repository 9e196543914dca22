import { existsSync } from 'node:fs';
import path from 'node:path';
import { execa } from 'execa';

export function findOnPath(names: string[], { PATH = '' }: NodeJS.ProcessEnv, more: string[] = []) {
  const folders = [...new Set([...PATH.split(path.delimiter).filter(Boolean), ...more])];
  const files = names.flatMap((name) => folders.map((folder) => path.join(folder, name)));
  return files.filter((file) => existsSync(file));
}

export async function versionOf(
  program: string,
  env: NodeJS.ProcessEnv = {},
): Promise<string | undefined> {
  const result = await execa(program, ['--version'], { env, reject: false, timeout: 10_000 });
  return result.failed ? undefined : result.stdout.trim();
}

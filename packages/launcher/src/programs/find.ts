import { existsSync } from 'node:fs';
import path from 'node:path';
import { execa } from 'execa';

/** Returns every program with one of these names on PATH, in the order of the names. */
export function findOnPath(names: string[], { PATH = '' }: NodeJS.ProcessEnv, more: string[] = []) {
  const folders = [...new Set([...PATH.split(path.delimiter).filter(Boolean), ...more])];
  const files = names.flatMap((name) => folders.map((folder) => path.join(folder, name)));
  return files.filter((file) => existsSync(file));
}

/** Returns the output of `--version`; undefined if the program does not run. */
export async function versionOf(
  program: string,
  env: NodeJS.ProcessEnv = {},
): Promise<string | undefined> {
  const result = await execa(program, ['--version'], { env, reject: false, timeout: 10_000 });
  return result.failed ? undefined : result.stdout.trim();
}

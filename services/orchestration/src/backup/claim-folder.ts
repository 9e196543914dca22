import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export async function claimFolder(folder: string): Promise<() => Promise<void>> {
  const made = await mkdir(folder, { recursive: true, mode: 0o700 });
  if ((await readdir(folder)).length > 0) {
    throw new Error(`${folder} must be empty: a backup requires a new or empty folder`);
  }
  return async () => {
    for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true });
    if (made) await rm(made, { recursive: true, force: true });
  };
}

export async function inPrivateFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'switchyard-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

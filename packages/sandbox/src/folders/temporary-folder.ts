import { randomBytes } from 'node:crypto';
import { lstat, mkdtemp, readdir, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive } from '../is-alive';
import { removeTree } from './remove-tree';

const PREFIX = 'switchyard-run-';
/**
 * Distinguishes this process from an earlier one with the same pid, e.g. in a restarted container.
 */
const START = randomBytes(4).toString('hex');
const NAMED = new RegExp(`^${PREFIX}(\\d{1,10})-([0-9a-f]{8})-`);

export async function makeTemporaryFolder(): Promise<string> {
  return realpath(await mkdtemp(join(tmpdir(), `${PREFIX}${process.pid}-${START}-`)));
}

/**
 * Removes folders of killed processes. The temporary folder must not be shared with other pid
 * namespaces.
 * @throws AggregateError of the folders that remain
 */
export async function removeLeftTemporaryFolders(): Promise<void> {
  const parent = tmpdir();
  const removed = (await readdir(parent)).map(async (name) => {
    const [, pid, start] = NAMED.exec(name) ?? [];
    if (pid === undefined || !isOver(Number(pid), start)) return;
    const path = join(parent, name);
    const { uid } = await lstat(path);
    if (uid === process.getuid?.()) await removeTree(path);
  });
  const results = await Promise.allSettled(removed);
  const failures = results.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  if (failures.length > 0)
    throw new AggregateError(failures, 'temporary folders could not be removed');
}

function isOver(pid: number, start: string | undefined): boolean {
  return pid === process.pid ? start !== START : !isAlive(pid);
}

import { createHash } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ProcessIdentity } from '../agents/agent-adapter';
import { endProcesses } from '../agents/processes/end-processes';
import { identifyProcess, readStartTime } from '../agents/processes/process-identity';

interface JournalEntry {
  started(identity: ProcessIdentity): Promise<void>;
  close(): Promise<void>;
}

export interface Journal {
  open(of: { runId: string; token: string }): Promise<JournalEntry>;
  close(): Promise<void>;
}

interface JournalRecord {
  runId: string;
  tokenDigest: string;
  processes: ProcessIdentity[];
}

const ORPHAN_GRACE_MS = 500;
const OWNER = 'owner.json';

/**
 * Records started processes on disk, so that the next runner with this name can end the processes
 * of a killed one. Resolves when no such process is alive.
 * @throws Error if the previous runner is still running
 */
export async function openJournal(folder: string): Promise<Journal> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await assertOwnerGone(folder);
  await endLeftovers(folder);
  const owner = await identifyProcess(process.pid);
  await write(join(folder, OWNER), owner);
  return {
    open: ({ runId, token }) =>
      openEntry(folder, { runId, tokenDigest: digestOf(token), processes: [] }),
    close: () => rm(join(folder, OWNER), { force: true }),
  };
}

async function assertOwnerGone(folder: string): Promise<void> {
  const owner = await read<ProcessIdentity>(join(folder, OWNER));
  if (!owner || owner.pid === process.pid) return;
  if ((await readStartTime(owner.pid)) !== owner.startedAt) return;
  throw new Error(
    `another runner with this name is running (process ${owner.pid}): choose another RUNNER_NAME or DATA_DIR`,
  );
}

async function endLeftovers(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name !== OWNER);
  await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      const record = await read<JournalRecord>(path);
      if (record) await endRecorded(record);
      await rm(path, { force: true });
    }),
  );
}

async function endRecorded({ runId, tokenDigest, processes }: JournalRecord): Promise<void> {
  const isOfClaim = (token: string) => digestOf(token) === tokenDigest;
  const trace = { runId, isOfClaim, graceMs: ORPHAN_GRACE_MS };
  await endProcesses({ ...trace, identity: null });
  for (const identity of processes) await endProcesses({ ...trace, identity });
}

/**
 * Overwrites the file in place with one write of at least the same length, so that a kill leaves no
 * partial file.
 */
async function openEntry(folder: string, record: JournalRecord): Promise<JournalEntry> {
  const path = join(folder, `${record.runId}.${record.tokenDigest.slice(0, 16)}.json`);
  const file = await open(path, 'w', 0o600);
  const save = () => file.write(JSON.stringify(record), 0);
  await save();
  return {
    started: async (identity) => {
      record.processes.push(identity);
      await save();
    },
    close: async () => {
      await Promise.all([unlink(path).catch(() => undefined), file.close()]);
    },
  };
}

const digestOf = (token: string) => createHash('sha256').update(token).digest('hex');

async function write(path: string, value: object): Promise<void> {
  const draft = `${path}.${process.pid}.draft`;
  await writeFile(draft, JSON.stringify(value), { mode: 0o600 });
  await rename(draft, path);
}

async function read<T>(path: string): Promise<T | null> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as T;
  } catch {
    return null;
  }
}

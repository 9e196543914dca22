import { createHash } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ProcessIdentity } from '../../adapters/agents/agent-adapter';
import { endProcesses } from '../../adapters/agents/processes/end-processes';
import { identifyProcess, readStartTime } from '../../adapters/agents/processes/process-identity';

interface JournalEntry {
  started(identity: ProcessIdentity): Promise<void>;
  close(): Promise<void>;
}

export interface Journal {
  open(of: { runId: string; token: string }): Promise<JournalEntry>;
  close(): Promise<void>;
}

interface Noted {
  runId: string;
  /** Of the claim's token: another claim of the run may be active too. */
  tokenDigest: string;
  processes: ProcessIdentity[];
}

const ORPHAN_GRACE_MS = 500;
const OWNER = 'owner.json';

/**
 * Records started processes on disk, so that the next runner of this name ends what a killed one
 * left. Resolves when none is alive. @throws Error when the previous runner still works
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
    `another runner of this name is at work (process ${owner.pid}): choose another RUNNER_NAME or DATA_DIR`,
  );
}

async function endLeftovers(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name !== OWNER);
  await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      const noted = await read<Noted>(path);
      if (noted) await endNoted(noted);
      await rm(path, { force: true });
    }),
  );
}

async function endNoted({ runId, tokenDigest, processes }: Noted): Promise<void> {
  const isOfClaim = (token: string) => digestOf(token) === tokenDigest;
  const trace = { runId, isOfClaim, graceMs: ORPHAN_GRACE_MS };
  await endProcesses({ ...trace, identity: null });
  for (const identity of processes) await endProcesses({ ...trace, identity });
}

/** Overwritten in place by one longer write, so that a kill leaves no half. */
async function openEntry(folder: string, noted: Noted): Promise<JournalEntry> {
  const path = join(folder, `${noted.runId}.${noted.tokenDigest.slice(0, 16)}.json`);
  const file = await open(path, 'w', 0o600);
  const note = () => file.write(JSON.stringify(noted), 0);
  await note();
  return {
    started: async (identity) => {
      noted.processes.push(identity);
      await note();
    },
    close: async () => {
      await Promise.all([unlink(path).catch(() => undefined), file.close()]);
    },
  };
}

const digestOf = (token: string) => createHash('sha256').update(token).digest('hex');

/** Atomic. */
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

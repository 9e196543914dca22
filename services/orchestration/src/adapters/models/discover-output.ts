import { mkdir } from 'node:fs/promises';
import { newId } from '@switchyard/db';
import { buildChildEnvironment, type Environment } from '../agents/child-environment';
import { runChild } from '../agents/run-child';

export interface DiscoveryCommand {
  command: string;
  args: string[];
}

export interface DiscoveryOptions {
  /** The folder to start in; the operator's own, because tools read configuration from where they start. */
  folder: string;
  /** Of which PATH, HOME and LANG are taken (guarantee G23). */
  environment: Environment;
  timeoutMs: number;
  signal: AbortSignal;
}

const MAX_BYTES = 2 * 1024 * 1024;
const GRACE_MS = 500;

/**
 * What a command of the operator's configuration prints, or null when it cannot be started, fails, takes
 * too long or prints more than 2 MiB. However it ends, no process of it is left (guarantee G5).
 */
export async function discoverOutput(
  { command, args }: DiscoveryCommand,
  { folder, environment, timeoutMs, signal }: DiscoveryOptions,
): Promise<string | null> {
  const overflow = new AbortController();
  const chunks: Buffer[] = [];
  let size = 0;
  const keep = (chunk: Buffer) => {
    size += chunk.length;
    if (size > MAX_BYTES) overflow.abort();
    else chunks.push(chunk);
  };
  await mkdir(folder, { recursive: true });
  // The id of no run, by which processes that leave the group are found again.
  const runId = newId();
  const outcome = await runChild(
    {
      runId,
      signal: AbortSignal.any([signal, overflow.signal]),
      onStarted: async () => {},
      onStdout: keep,
      onStderr: () => {},
    },
    {
      command,
      args,
      cwd: folder,
      environment: buildChildEnvironment(environment, { SERVICE_RUN_ID: runId }),
    },
    { timeoutMs, graceMs: GRACE_MS },
  );
  const isWhole = outcome.status === 'succeeded' && size <= MAX_BYTES;
  return isWhole ? Buffer.concat(chunks).toString('utf8') : null;
}

import { randomUUID } from 'node:crypto';
import { childEnvironment, type Environment } from '../agents/environment/child-environment';
import { runChild } from '../agents/processes/run-child';
import { inFreshFolder } from '../fresh-folder';

export interface DiscoveryCommand {
  command: string;
  args: string[];
}

export interface DiscoveryOptions {
  /** Where the folder is made that the command starts in. */
  folder: string;
  inherited: Environment;
  /** That folder is its HOME too: no sign-in of the operator's, and nothing that an agent has written. */
  isolated: boolean;
  timeoutMs: number;
  signal: AbortSignal;
}

const MAX_BYTES = 2 * 1024 * 1024;
const GRACE_MS = 500;

/**
 * What a command of the operator's configuration prints, or null when it cannot be started, fails, takes
 * too long or prints more than 2 MiB. However it ends, no process of it is left.
 */
export async function discoverOutput(
  { command, args }: DiscoveryCommand,
  { folder, inherited, isolated, timeoutMs, signal }: DiscoveryOptions,
): Promise<string | null> {
  const overflow = new AbortController();
  const chunks: Buffer[] = [];
  let size = 0;
  const keep = (chunk: Buffer) => {
    size += chunk.length;
    if (size > MAX_BYTES) overflow.abort();
    else chunks.push(chunk);
  };
  // The id of no run, by which processes that leave the group are found again.
  const runId = randomUUID();
  const outcome = await inFreshFolder(folder, (cwd) => {
    const surroundings = { inherited, home: isolated ? cwd : null };
    const { environment } = childEnvironment(surroundings, { SERVICE_RUN_ID: runId });
    const run = {
      runId,
      signal: AbortSignal.any([signal, overflow.signal]),
      onStarted: async () => {},
      onStdout: keep,
      onStderr: () => {},
    };
    return runChild(run, { command, args, cwd, environment }, { timeoutMs, graceMs: GRACE_MS });
  });
  const isWhole = outcome.status === 'succeeded' && size <= MAX_BYTES;
  return isWhole ? Buffer.concat(chunks).toString('utf8') : null;
}

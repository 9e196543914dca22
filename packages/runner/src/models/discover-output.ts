import { randomUUID } from 'node:crypto';
import { inFreshFolder } from '../agent-folders/fresh-folder';
import { type ChildSurroundings, openFolder } from '../agents/environment/agent-home';
import { childEnvironment } from '../agents/environment/child-environment';
import { runChild } from '../agents/processes/run-child';
import { confined } from '../agents/processes/spawn-child';

export interface DiscoveryCommand {
  adapterType: string;
  command: string;
  args: string[];
}

export interface DiscoveryOptions {
  folder: string;
  children: Omit<ChildSurroundings, 'homes'>;
  timeoutMs: number;
  signal: AbortSignal;
}

const MAX_BYTES = 2 * 1024 * 1024;
const GRACE_MS = 500;

export async function discoverOutput(
  { adapterType, command, args }: DiscoveryCommand,
  { folder, children, timeoutMs, signal }: DiscoveryOptions,
): Promise<string | null> {
  const overflow = new AbortController();
  const chunks: Buffer[] = [];
  let size = 0;
  const keep = (chunk: Buffer) => {
    size += chunk.length;
    if (size > MAX_BYTES) overflow.abort();
    else chunks.push(chunk);
  };
  const runId = randomUUID();
  const outcome = await inFreshFolder(folder, async (cwd) => {
    const { own, ...surroundings } = await openFolder(children, cwd, adapterType);
    const { environment } = childEnvironment(surroundings, { SERVICE_RUN_ID: runId });
    const run = {
      runId,
      signal: AbortSignal.any([signal, overflow.signal]),
      onStarted: async () => {},
      onStdout: keep,
      onStderr: () => {},
    };
    const started = confined(
      (program) => children.confinements.forAgent(program, { ...own, network: 'shared' }),
      {
        command,
        args,
        cwd,
        environment,
      },
    );
    return runChild(run, started, { timeoutMs, graceMs: GRACE_MS });
  });
  const isWhole = outcome.status === 'succeeded' && size <= MAX_BYTES;
  return isWhole ? Buffer.concat(chunks).toString('utf8') : null;
}

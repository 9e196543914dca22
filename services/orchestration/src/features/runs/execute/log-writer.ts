import type { Database } from '@switchyard/db';
import type { OutputStream } from '../../../adapters/agents/agent-adapter';
import { createCappedOutput } from '../../../adapters/agents/output/capped-output';
import { compileMask } from '../../../adapters/output-masking';
import { appendRunLog } from '../../../state/runs/run-log';

const FLUSH_AFTER_MS = 200;
const CHUNK_BYTES = 65_536;

export interface LogWriter {
  write(chunk: Buffer, stream?: OutputStream): void;
  /** Writes what is left; answers when it is stored. */
  end(): Promise<void>;
}

/**
 * Masks, caps and stores the output of one run in chunks. A stored chunk is never rewritten.
 */
export function createLogWriter(
  db: Database,
  run: { id: string; epoch: number; logBytes: number },
  options: { secrets: string[]; maxBytes: number; onError(error: unknown): void },
): LogWriter {
  const openMasker = compileMask(options.secrets);
  // What one stream says between two parts of a secret of the other must not keep it from being found.
  const maskers = { stdout: openMasker(), stderr: openMasker() };
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  let timer: NodeJS.Timeout | undefined;
  let written: Promise<unknown> = Promise.resolve();

  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (waitingBytes === 0) return;
    const content = Buffer.concat(waiting);
    waiting = [];
    waitingBytes = 0;
    written = written.then(() => appendRunLog(db, run, content)).catch(options.onError);
  };

  const keep = (bytes: Buffer) => {
    waiting.push(bytes);
    waitingBytes += bytes.length;
    if (waitingBytes >= CHUNK_BYTES) flush();
    else timer ??= setTimeout(flush, FLUSH_AFTER_MS);
  };
  const limits = { maxBytes: options.maxBytes, usedBytes: run.logBytes };
  const capped = createCappedOutput(limits, keep);

  return {
    write: (chunk, stream = 'stdout') => capped.write(maskers[stream].write(chunk)),
    end: async () => {
      capped.write(maskers.stdout.end());
      capped.write(maskers.stderr.end());
      capped.end();
      flush();
      await written;
    },
  };
}

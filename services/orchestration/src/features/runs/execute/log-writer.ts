import type { Database } from '@switchyard/db';
import type { OutputStream } from '../../../adapters/agents/agent-adapter';
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
 * Masks, caps and stores the output of one run in chunks. What lies beyond the cap is dropped with one
 * line that says so; a stored chunk is never rewritten.
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
  let left = Math.max(0, options.maxBytes - run.logBytes);
  let truncated = left === 0;
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
    if (bytes.length === 0 || truncated) return;
    const kept = bytes.subarray(0, left);
    left -= kept.length;
    truncated = kept.length < bytes.length;
    waiting.push(kept);
    waitingBytes += kept.length;
    if (truncated) {
      const notice = Buffer.from(`\n[output beyond ${options.maxBytes} bytes was dropped]\n`);
      waiting.push(notice);
      waitingBytes += notice.length;
    }
    if (waitingBytes >= CHUNK_BYTES) flush();
    else timer ??= setTimeout(flush, FLUSH_AFTER_MS);
  };

  return {
    write: (chunk, stream = 'stdout') => keep(maskers[stream].write(chunk)),
    end: async () => {
      keep(maskers.stdout.end());
      keep(maskers.stderr.end());
      flush();
      await written;
    },
  };
}

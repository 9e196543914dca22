import type { Database } from '@switchyard/db';
import { createMaskedLog, type MaskedLog } from '@switchyard/runner/agents/output/masked-log';
import { appendRunLog } from '../../../state/runs/run-log';

const FLUSH_AFTER_MS = 200;
const CHUNK_BYTES = 65_536;

export interface LogWriter extends Pick<MaskedLog, 'write'> {
  end(): Promise<void>;
}

export function createLogWriter(
  db: Database,
  run: { id: string; epoch: number; logBytes: number },
  options: { secrets: string[]; maxBytes: number; onError(error: unknown): void },
): LogWriter {
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
  const log = createMaskedLog({ ...options, logBytes: run.logBytes }, keep);

  return {
    write: log.write,
    end: async () => {
      log.end();
      flush();
      await written;
    },
  };
}

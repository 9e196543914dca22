import { type Context, partOf } from '../../../kernel/context';
import { readRun } from '../../../state/runs/runs';
import { type LogSlice, readSlice } from './read-run-log';

export const runLogs = partOf(openRunLogs);

interface RunLogs {
  read(runId: string, offset: number): Promise<LogSlice | null>;
  follow(runId: string, onNews: () => void): () => void;
}

const PART_BYTES = 65_536;

function openRunLogs({ db, nudges }: Context): RunLogs {
  const reading = new Map<string, Promise<LogSlice | null>>();
  const readPart = async (runId: string, offset: number) => {
    const run = await readRun(db, runId);
    return run && readSlice(db, run, offset, PART_BYTES);
  };
  return {
    follow: (runId, onNews) => nudges.subscribe(runId, onNews),
    read: (runId, offset) => {
      const key = `${runId} ${offset}`;
      const known = reading.get(key);
      if (known) return known;
      const part = readPart(runId, offset).finally(() => reading.delete(key));
      reading.set(key, part);
      return part;
    },
  };
}

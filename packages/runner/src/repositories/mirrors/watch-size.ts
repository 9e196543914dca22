import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

const EVERY_MS = 500;

async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => []);
  let bytes = 0;
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const found = await stat(join(entry.parentPath ?? entry.path, entry.name)).catch(() => null);
    bytes += found?.size ?? 0;
  }
  return bytes;
}

export interface SizeWatch {
  readonly exceeded: AbortSignal;
  check(): Promise<void>;
  close(): void;
}

export function watchSize(folder: string, maxBytes: number): SizeWatch {
  const controller = new AbortController();
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  const check = async () => {
    if ((await sizeOf(folder)) > maxBytes) controller.abort();
  };
  const again = () => {
    timer = setTimeout(() => {
      void check().finally(() => !closed && again());
    }, EVERY_MS);
  };
  again();
  return {
    exceeded: controller.signal,
    check,
    close: () => {
      closed = true;
      clearTimeout(timer);
    },
  };
}

import { existsSync, watch } from 'node:fs';
import { printFailure } from './terminal/failure.mjs';

const QUIET_MS = 400;

/** Collects changes until the compiler has been quiet for a moment; one restart at a time. */
export function watchCompiled(places, { signal, onChange }) {
  const changed = new Set();
  let timer;
  let busy = false;
  const flush = async () => {
    if (busy || signal.aborted || changed.size === 0) return;
    busy = true;
    const folders = [...changed];
    changed.clear();
    await onChange(folders).catch(printFailure);
    busy = false;
    void flush();
  };
  for (const [folder, dist] of places.filter(([, place]) => existsSync(place))) {
    watch(dist, { recursive: true, signal }, (_event, file) => {
      if (!file?.endsWith('.js')) return;
      changed.add(folder);
      clearTimeout(timer);
      timer = setTimeout(flush, QUIET_MS);
    });
  }
}

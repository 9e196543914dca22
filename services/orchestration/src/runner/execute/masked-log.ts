import type { OutputStream } from '../../adapters/agents/agent-adapter';
import { compileMask } from '../../adapters/output-masking';

export interface MaskedLog {
  write(chunk: Buffer, stream?: OutputStream): void;
  /** What the masks held back. */
  end(): void;
}

/**
 * Masks and caps the output of one run. What lies beyond the cap is dropped with one line that says so; `logBytes` of it
 * an earlier attempt has used.
 */
export function createMaskedLog(
  limits: { secrets: string[]; maxBytes: number; logBytes: number },
  keep: (content: Buffer) => void,
): MaskedLog {
  const openMasker = compileMask(limits.secrets);
  // What one stream says between two parts of a secret of the other must not keep it from being found.
  const maskers = { stdout: openMasker(), stderr: openMasker() };
  let left = Math.max(0, limits.maxBytes - limits.logBytes);
  let isFull = left === 0;

  const cap = (bytes: Buffer) => {
    if (bytes.length === 0 || isFull) return;
    const kept = bytes.subarray(0, left);
    left -= kept.length;
    isFull = kept.length < bytes.length;
    keep(kept);
    if (isFull) keep(Buffer.from(`\n[output beyond ${limits.maxBytes} bytes was dropped]\n`));
  };

  return {
    write: (chunk, stream = 'stdout') => cap(maskers[stream].write(chunk)),
    end: () => {
      cap(maskers.stdout.end());
      cap(maskers.stderr.end());
    },
  };
}

import { compileMask } from '../../output-masking';
import type { OutputStream } from '../agent-adapter';
import { createCappedOutput } from './capped-output';

export interface MaskedLog {
  write(chunk: Buffer, stream?: OutputStream): void;
  /** Hands over what the masks held back, and the end of an output beyond the cap. */
  end(): void;
}

/** Masks and caps the output of one run; `logBytes` of the cap an earlier attempt has used. */
export function createMaskedLog(
  { secrets, maxBytes, logBytes }: { secrets: string[]; maxBytes: number; logBytes: number },
  keep: (content: Buffer) => void,
): MaskedLog {
  const openMasker = compileMask(secrets);
  // Each stream has a masker of its own, so that output of the other between two parts of a secret does not hide it.
  const maskers = { stdout: openMasker(), stderr: openMasker() };
  const capped = createCappedOutput({ maxBytes, usedBytes: logBytes }, keep);
  return {
    write: (chunk, stream = 'stdout') => capped.write(maskers[stream].write(chunk)),
    end: () => {
      capped.write(maskers.stdout.end());
      capped.write(maskers.stderr.end());
      capped.end();
    },
  };
}

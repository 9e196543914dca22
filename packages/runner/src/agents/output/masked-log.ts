import { compileMask } from '../../masking/output-masking';
import type { OutputStream } from '../agent-adapter';
import { createCappedOutput } from './capped-output';

export interface MaskedLog {
  write(chunk: Buffer, stream?: OutputStream): void;
  end(): void;
}

export function createMaskedLog(
  { secrets, maxBytes, logBytes }: { secrets: string[]; maxBytes: number; logBytes: number },
  keep: (content: Buffer) => void,
): MaskedLog {
  const openMasker = compileMask(secrets);
  // One masker per stream, so that output of the other stream cannot split a secret.
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

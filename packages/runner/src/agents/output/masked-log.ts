import { stripVTControlCharacters } from 'node:util';
import { compileMask } from '../../masking/output-masking';
import type { OutputStream } from '../agent-adapter';
import { createCappedOutput } from './capped-output';
import { createLineSplitter } from './split-lines';

export interface MaskedLog {
  write(chunk: Buffer, stream?: OutputStream): void;
  end(): void;
  /** Returns the last line of stderr. Call it after the process has ended. */
  lastErrorLine(): string | null;
}

const MAX_REASON_CHARS = 500;

export function createMaskedLog(
  { secrets, maxBytes, logBytes }: { secrets: string[]; maxBytes: number; logBytes: number },
  keep: (content: Buffer) => void,
): MaskedLog {
  const openMasker = compileMask(secrets);
  // One masker per stream, so that output of the other stream cannot split a secret.
  const maskers = { stdout: openMasker(), stderr: openMasker() };
  const capped = createCappedOutput({ maxBytes, usedBytes: logBytes }, keep);
  let lastErrorLine: string | null = null;
  const errorLines = createLineSplitter((bytes) => {
    const line = stripVTControlCharacters(bytes.toString('utf8')).trim();
    if (line !== '') lastErrorLine = line.slice(0, MAX_REASON_CHARS);
  });
  const keepErrors = (masked: Buffer) => {
    capped.write(masked);
    errorLines.write(masked);
  };
  return {
    write(chunk, stream = 'stdout') {
      if (stream === 'stderr') keepErrors(maskers.stderr.write(chunk));
      else capped.write(maskers.stdout.write(chunk));
    },
    end: () => {
      capped.write(maskers.stdout.end());
      capped.write(maskers.stderr.end());
      capped.end();
    },
    lastErrorLine() {
      keepErrors(maskers.stderr.end());
      errorLines.end();
      return lastErrorLine;
    },
  };
}

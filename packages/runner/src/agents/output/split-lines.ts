export const NEWLINE = 0x0a;

export const MAX_LINE_BYTES = 64 * 1024;

export interface LineSplitter {
  write(chunk: Buffer): void;
  end(): void;
}

/**
 * Calls `onLine` for each line of at most `maxBytes`, without its newline. Drops longer lines to
 * limit memory, and calls `onDropped` with their length.
 */
export function createLineSplitter(
  onLine: (line: Buffer) => void,
  maxBytes = MAX_LINE_BYTES,
  onDropped: (bytes: number) => void = () => {},
): LineSplitter {
  let parts: Buffer[] = [];
  let held = 0;

  function append(part: Buffer): void {
    held += part.length;
    if (held > maxBytes) parts = [];
    else if (part.length > 0) parts.push(part);
  }

  function finish(): void {
    const line = parts.length === 1 ? parts[0]! : Buffer.concat(parts);
    const bytes = held;
    parts = [];
    held = 0;
    if (bytes > maxBytes) onDropped(bytes);
    else if (bytes > 0) onLine(line);
  }

  return {
    write(chunk) {
      let from = 0;
      for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
        append(chunk.subarray(from, at));
        finish();
        from = at + 1;
      }
      append(chunk.subarray(from));
    },
    end: finish,
  };
}

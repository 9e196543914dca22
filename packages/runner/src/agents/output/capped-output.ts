export interface CappedOutput {
  write(bytes: Buffer): void;
  end(): void;
}

const MAX_TAIL_BYTES = 262_144;
const TAIL_PART = 4;

/**
 * Stores the beginning and the end of an output, at most `maxBytes` together with the `usedBytes`
 * of an earlier attempt. Stores the end only when `end` is called.
 */
export function createCappedOutput(
  { maxBytes, usedBytes }: { maxBytes: number; usedBytes: number },
  keep: (bytes: Buffer) => void,
): CappedOutput {
  const room = Math.max(0, maxBytes - usedBytes);
  const tailRoom = Math.min(MAX_TAIL_BYTES, Math.floor(maxBytes / TAIL_PART), room);
  let headRoom = room - tailRoom;
  let ring: Buffer | null = null;
  let tailBytes = 0;
  let next = 0;
  let leftOut = 0;

  const hold = (bytes: Buffer) => {
    ring ??= Buffer.allocUnsafe(tailRoom);
    const tail = bytes.subarray(Math.max(0, bytes.length - tailRoom));
    const copied = tail.copy(ring, next);
    tail.copy(ring, 0, copied);
    next = tailRoom === 0 ? 0 : (next + tail.length) % tailRoom;
    const all = tailBytes + bytes.length;
    tailBytes = Math.min(all, tailRoom);
    leftOut += all - tailBytes;
  };

  const takeTail = (): Buffer => {
    if (!ring) return Buffer.alloc(0);
    const isFull = tailBytes === tailRoom;
    return Buffer.concat(
      isFull ? [ring.subarray(next), ring.subarray(0, next)] : [ring.subarray(0, next)],
    );
  };

  return {
    write(bytes) {
      const head = bytes.subarray(0, headRoom);
      headRoom -= head.length;
      if (head.length > 0) keep(head);
      if (head.length < bytes.length) hold(bytes.subarray(head.length));
    },
    end() {
      let last = takeTail();
      ring = null;
      tailBytes = 0;
      next = 0;
      if (leftOut > 0) {
        const cut = beginOfCharacter(last);
        last = last.subarray(cut);
        keep(Buffer.from(`\n[${leftOut + cut} bytes of output were left out here]\n`));
        leftOut = 0;
      }
      if (last.length > 0) keep(last);
    },
  };
}

export function beginOfCharacter(bytes: Buffer): number {
  const begin = bytes.subarray(0, 4).findIndex((byte) => (byte & 0xc0) !== 0x80);
  return Math.max(0, begin);
}

const CONTROL = Array.from(
  { length: 256 },
  (_, byte) => byte === 127 || (byte < 32 && ![9, 10, 12, 13].includes(byte)),
);

export function createTextCheck() {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let isText = true;

  const decode = (chunk?: Buffer) => {
    try {
      decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      isText = false;
    }
  };
  return {
    push: (chunk: Buffer): void => {
      if (!isText) return;
      if (chunk.some((byte) => CONTROL[byte])) isText = false;
      else decode(chunk);
    },
    end: (): boolean => {
      if (isText) decode();
      return isText;
    },
  };
}

import { readFileSync } from 'node:fs';

const utf8 = new TextDecoder('utf-8', { fatal: true });

export function readTextFile(path: string): string {
  const bytes = readFileSync(path);
  // UTF-16 encodes ASCII with zero bytes, with or without a byte order mark.
  if (bytes.includes(0)) throw unreadable('it is UTF-16 or binary; save it as UTF-8');
  try {
    return utf8.decode(bytes);
  } catch {
    throw unreadable('it is not UTF-8; save it as UTF-8');
  }
}

const unreadable = (code: string) => Object.assign(new Error(code), { code });

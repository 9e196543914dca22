import { readFileSync } from 'node:fs';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Removes the byte order mark of editors on Windows. */
export function readTextFile(path: string): string {
  const bytes = readFileSync(path);
  // Letters of UTF-16 have a zero byte each, with or without a mark.
  if (bytes.includes(0)) throw unreadable('it is UTF-16 or binary; save it as UTF-8');
  try {
    return utf8.decode(bytes);
  } catch {
    throw unreadable('it is not UTF-8; save it as UTF-8');
  }
}

const unreadable = (code: string) => Object.assign(new Error(code), { code });

/** Removes NUL and unpaired surrogates, which PostgreSQL cannot store. */
export function storable(text: string, maxChars: number): string {
  return text.replaceAll('\0', '�').slice(0, maxChars).toWellFormed();
}

const MAX_NAME_CHARS = 500;
const NO_NAME = 'unknown';

export function storableName(text: string): string {
  const name = storable(text, MAX_NAME_CHARS);
  return name.trim() === '' ? NO_NAME : name;
}

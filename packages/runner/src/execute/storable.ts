/** Removes NUL and unpaired surrogates, which PostgreSQL cannot store. */
export function storable(text: string, maxChars: number): string {
  return text.replaceAll('\0', '�').slice(0, maxChars).toWellFormed();
}

/** PostgreSQL cannot store NUL or half a surrogate pair. */
export function storable(text: string, maxChars: number): string {
  return text.replaceAll('\0', '�').slice(0, maxChars).toWellFormed();
}

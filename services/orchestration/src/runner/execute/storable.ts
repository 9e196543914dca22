/** A text that the server takes: PostgreSQL stores neither NUL nor half of a surrogate pair. */
export function storable(text: string, maxChars: number): string {
  return text.replaceAll('\0', '�').slice(0, maxChars).toWellFormed();
}

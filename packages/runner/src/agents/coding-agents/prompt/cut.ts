export const MAX_TEXT_CHARS = 20_000;

export function cut(text: string, where: string, maxChars = MAX_TEXT_CHARS): string {
  if (text.length <= maxChars) return text;
  return `${text.slice(0, maxChars)}\n[cut; read the rest with ${where}]`;
}

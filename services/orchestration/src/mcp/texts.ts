import type { ToolAnswer } from '@switchyard/mcp';
import { z } from 'zod';

/** About 260 tokens of English, and fewer of ids; what to do next comes behind. */
const MAX_CHARACTERS = 900;

/** A line of at most `most` characters, without line breaks. */
export function clip(text: string, most: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= most ? line : `${line.slice(0, most - 1)}…`;
}

/** Lines as long as there is room, then what to do next. */
export function reading(lines: readonly string[], next: string): ToolAnswer {
  const shown: string[] = [];
  let room = MAX_CHARACTERS;
  for (const line of lines) {
    room -= line.length + 1;
    if (room < 0) break;
    shown.push(line);
  }
  const rest = lines.length - shown.length;
  return {
    text: [...shown, ...(rest > 0 ? [`(${rest} more lines)`] : []), `Next: ${next}`].join('\n'),
  };
}

/** The fields that every tool that writes returns. */
export const written = z.object({
  id: z.string(),
  done: z.string(),
  replayed: z.boolean(),
  next: z.string(),
});

export function writing(
  id: string,
  done: string,
  next: string,
  { replayed }: { replayed: boolean } = { replayed: false },
): ToolAnswer {
  const again = replayed ? '\nReplayed: this call was made before, nothing changed now.' : '';
  return { text: `${done}${again}\nNext: ${next}`, fields: { id, done, replayed, next } };
}

/** Largest part of a long text that one answer holds. */
const PAGE_CHARACTERS = 8_000;

/** A page of a text that was asked for by name. */
export function page(title: string, text: string, from: number): ToolAnswer {
  const part = text.slice(from, from + PAGE_CHARACTERS);
  const end = from + part.length;
  const more = end < text.length ? `\nNext: read on with from ${end} (of ${text.length})` : '';
  return { text: `${title}\n${part}${more}` };
}

import type { ToolAnswer } from '@switchyard/mcp';
import { z } from 'zod';

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
  const again = replayed ? '\nReplayed: this call was already made, so nothing changed.' : '';
  return { text: `${done}${again}\nNext: ${next}`, fields: { id, done, replayed, next } };
}

const PAGE_CHARACTERS = 8_000;

export function page(title: string, text: string, from: number): ToolAnswer {
  const part = text.slice(from, from + PAGE_CHARACTERS);
  const end = from + part.length;
  const more = end < text.length ? `\nNext: continue with from ${end} (of ${text.length})` : '';
  return { text: `${title}\n${part}${more}` };
}

import type { ToolAnswer } from './tool';

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

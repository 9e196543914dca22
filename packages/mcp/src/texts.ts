import type { ToolAnswer } from './tool';

const MAX_CHARACTERS = 900;

export function clip(text: string, most: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= most ? line : `${line.slice(0, most - 1)}…`;
}

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

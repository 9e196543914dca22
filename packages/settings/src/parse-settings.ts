import { parseEnv } from 'node:util';

const ENTRY =
  /^[ \t]*(?:#[^\n]*|(?:export[ \t]+)?([\w.-]+)[ \t]*=(?:[ \t]*(?:"[^"]*"|'[^']*'|`[^`]*`)[^\n]*|([^\n]*)))$/gm;

export interface ParsedSettings {
  variables: Record<string, string>;
  unreadable: number[];
  /** Variables whose unquoted value ended at a `#` without a space before it. */
  cut: string[];
}

/**
 * Reads `NAME=value` lines like Node.js's `--env-file`, and reports the parts that Node.js ignores
 * without an error.
 */
export function parseSettings(text: string): ParsedSettings {
  const cut: string[] = [];
  const rest = text.replace(ENTRY, (entry, name: string | undefined, unquoted?: string) => {
    if (name && /^[^#]*(?<!\s)#/.test(unquoted ?? '')) cut.push(name);
    return entry.replace(/[^\n]/g, '');
  });
  const unreadable = rest
    .split('\n')
    .flatMap((line, index) => (line.trim() === '' ? [] : [index + 1]));
  return { variables: parseEnv(text) as Record<string, string>, unreadable, cut };
}

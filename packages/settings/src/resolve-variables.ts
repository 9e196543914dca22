import { readTextFile } from './read-text-file';
import { SECRET_SETTINGS } from './secret-settings';

export type Variables = Record<string, string | undefined>;

export interface Resolved {
  variables: Record<string, string>;
  problems: Record<string, string>;
}

export function resolveVariables(environment: Variables): Resolved {
  const present = Object.entries(environment).flatMap(([name, value]) =>
    value ? [[name, value] as const] : [],
  );
  const resolved: Resolved = { variables: Object.fromEntries(present), problems: {} };
  for (const name of SECRET_SETTINGS) readSecretFile(resolved, name);
  return resolved;
}

function readSecretFile({ variables, problems }: Resolved, name: string): void {
  const variable = `${name}_FILE`;
  const path = variables[variable];
  if (path === undefined) return;
  delete variables[variable];
  if (variables[name] !== undefined) {
    problems[variable] = `must not be set together with ${name}`;
    return;
  }
  try {
    const value = readTextFile(path).replace(/\r?\n$/, '');
    if (value === '') problems[variable] = 'must not be an empty file';
    else variables[name] = value;
  } catch (error) {
    // Omits the path, because it may be the secret itself, set by mistake.
    problems[variable] = `cannot be read (${(error as NodeJS.ErrnoException).code})`;
  }
}

export function usableVariables(environment: Variables): Record<string, string> {
  const { variables, problems } = resolveVariables(environment);
  const lines = Object.entries(problems).map(([name, problem]) => `  ${name}: ${problem}`);
  if (lines.length === 0) return variables;
  throw new Error(`The environment is not usable:\n${lines.join('\n')}`);
}

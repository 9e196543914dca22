import { invalidField } from '@switchyard/server';
import { z } from 'zod';
import { isSecretReference } from '../../agents/configuration/mask-config';
import type { Place } from './kind';

export const secretByName = z.strictObject({
  secret: z.string(),
  version: z.int().min(1).max(1_000_000).optional(),
});
type SecretByName = z.infer<typeof secretByName>;

type Entries = Record<string, unknown>;

export function nameSecret(
  { secretId, version }: { secretId: string; version?: 'latest' | number },
  names: ReadonlyMap<string, string>,
): SecretByName {
  const secret = names.get(secretId.toLowerCase()) ?? '';
  return { secret, ...(typeof version === 'number' && { version }) };
}

/**
 * Replaces secrets by their names. Removes literal values of `env` and `headers`, which may be
 * credentials.
 */
export function showConfig(config: Entries, names: ReadonlyMap<string, string>): Entries {
  const shown = (value: unknown) =>
    isSecretReference(value) ? nameSecret(value as { secretId: string }, names) : value;
  return mapConfig(config, shown, (entries) =>
    Object.entries(entries).filter(([, value]) => isSecretReference(value)),
  );
}

/**
 * Returns the API's configuration: secrets by id, and the stored literal values of `env` and
 * `headers` that the file does not mention.
 */
export function storableConfig(config: Entries, stored: Entries, place: Place): Entries {
  const made = mapConfig(config, (value, path) =>
    isNamedSecret(value) ? secretReference(value, path, place) : value,
  );
  for (const field of LITERAL) {
    const literals = Object.entries(entriesOf(stored, field) ?? {}).filter(
      ([, value]) => !isSecretReference(value),
    );
    if (literals.length === 0) continue;
    made[field] = { ...Object.fromEntries(literals), ...entriesOf(made, field) };
  }
  return made;
}

const LITERAL = ['env', 'headers'];

function mapConfig(
  config: Entries,
  map: (value: unknown, path: string[]) => unknown,
  choose: (entries: Entries) => [string, unknown][] = Object.entries,
): Entries {
  const field = ([name, value]: [string, unknown]) => {
    const entries = LITERAL.includes(name) ? entriesOf(config, name) : null;
    if (!entries) return [name, map(value, ['adapterConfig', name])];
    const mapped = choose(entries).map(([key, each]) => [
      key,
      map(each, ['adapterConfig', name, key]),
    ]);
    return [name, Object.fromEntries(mapped)];
  };
  return Object.fromEntries(Object.entries(config).map(field));
}

function entriesOf(config: Entries, field: string): Entries | null {
  const entries = Object.hasOwn(config, field) ? config[field] : null;
  const isObject = typeof entries === 'object' && entries !== null && !Array.isArray(entries);
  return isObject ? (entries as Entries) : null;
}

const isNamedSecret = (value: unknown): value is SecretByName =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, 'secret');

function secretReference({ secret, version, ...rest }: SecretByName, path: string[], place: Place) {
  const [unknown] = Object.keys(rest);
  if (unknown) throw invalidField([...path, unknown], 'must be only secret and version');
  return {
    type: 'secret_ref',
    secretId: place.secretId(secret, path),
    ...(version !== undefined && { version }),
  };
}

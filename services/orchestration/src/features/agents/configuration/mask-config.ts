import { invalidField } from '@switchyard/server';

/** Shown in place of a literal `env` value; sent back it means "unchanged". */
const MASK = '***';

/** The parts of an adapter configuration whose literal values may be credentials. */
const MASKED_FIELDS = ['env', 'headers'] as const;

type Entries = Record<string, unknown>;

/** A copy of an adapter configuration without the literal values of its `env` and `headers`. */
export function maskConfig(config: Entries): Entries {
  return mapEntries(config, (_field, _name, value) => (isSecretReference(value) ? value : MASK));
}

/**
 * Puts stored values back where a client sent their mask.
 * @throws ApiError 400 naming the entry when no literal is stored that the mask could mean
 */
export function unmaskConfig(config: Entries, stored: Entries): Entries {
  return mapEntries(config, (field, name, value) => {
    if (value !== MASK) return value;
    const before = entriesOf(stored, field);
    if (before && Object.hasOwn(before, name) && !isSecretReference(before[name])) {
      return before[name];
    }
    throw invalidField(
      ['adapterConfig', field, name],
      `${MASK} stands for a stored value, and none is stored under this name`,
    );
  });
}

/** A reference names a secret and shows nothing of it; everything else in `env` is a literal. */
export function isSecretReference(value: unknown): boolean {
  return typeof value === 'object' && (value as { type?: unknown } | null)?.type === 'secret_ref';
}

function mapEntries(
  config: Entries,
  map: (field: string, name: string, value: unknown) => unknown,
) {
  const copy = { ...config };
  for (const field of MASKED_FIELDS) {
    const entries = entriesOf(config, field);
    if (!entries) continue;
    copy[field] = Object.fromEntries(
      Object.entries(entries).map(([name, value]) => [name, map(field, name, value)]),
    );
  }
  return copy;
}

function entriesOf(config: Entries, field: string): Entries | null {
  const entries = Object.hasOwn(config, field) ? config[field] : null;
  if (typeof entries !== 'object' || entries === null || Array.isArray(entries)) return null;
  return entries as Entries;
}

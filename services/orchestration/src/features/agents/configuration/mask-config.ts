import { invalidField } from '@switchyard/server';
import { mayWrite } from '../../../access/rules';
import type { Actor } from '../../../kernel/actor';

/** Replaces a literal `env` value; a client that sends it back leaves the value unchanged. */
const MASK = '***';

const MASKED_FIELDS = ['env', 'headers'] as const;

type Entries = Record<string, unknown>;

export interface Reader {
  actor: Actor;
  companyId: string;
  agentId: string;
}

/**
 * Also masks arguments and URL queries, which may contain credentials, unless the reader is the
 * agent or may change the agent. Masks them for a null `reader`.
 */
export function maskConfig(config: Entries, reader: Reader | null): Entries {
  const masked = mapEntries(config, (_field, _name, value) =>
    isSecretReference(value) ? value : MASK,
  );
  if (reader && seesAll(reader)) return masked;
  const { args, url } = config;
  return {
    ...masked,
    ...(Array.isArray(args) && { args: args.map(() => MASK) }),
    ...(typeof url === 'string' && { url: url.replace(/\?.*$/s, MASKED_QUERY) }),
  };
}

const MASKED_QUERY = `?${MASK}`;

function seesAll({ actor, companyId, agentId }: Reader): boolean {
  if (actor.type === 'agent') return actor.agentId === agentId;
  return actor.type === 'board' ? mayWrite('board', actor, companyId) : actor.type === 'system';
}

/**
 * Replaces masks by stored values.
 * @throws ApiError 400 naming an entry without a stored literal
 */
export function unmaskConfig(config: Entries, stored: Entries): Entries {
  assertSeen(config);
  return mapEntries(config, (field, name, value) => {
    if (value !== MASK) return value;
    const before = entriesOf(stored, field);
    if (before && Object.hasOwn(before, name) && !isSecretReference(before[name])) {
      return before[name];
    }
    throw invalidField(
      ['adapterConfig', field, name],
      `${MASK} keeps the stored value, but no value is stored under this name: send the value`,
    );
  });
}

function assertSeen({ args, url }: Entries): void {
  const at = Array.isArray(args) ? args.indexOf(MASK) : -1;
  const message = `must be the real value, not ${MASK}: only env and headers keep the stored value for ${MASK}`;
  if (at >= 0) throw invalidField(['adapterConfig', 'args', at], message);
  if (typeof url === 'string' && url.endsWith(MASKED_QUERY)) {
    throw invalidField(['adapterConfig', 'url'], message);
  }
}

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

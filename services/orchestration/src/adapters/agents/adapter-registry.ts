import { adapterAliases, canonicalAdapterType } from '@switchyard/types';
import type { KnownAdapter } from './agent-adapter';

export interface AdapterRegistry {
  /** By the type or by an alias of it. */
  get(type: string): KnownAdapter | undefined;
  /** In the order given, for error messages and the OpenAPI document. */
  types: string[];
  all: readonly KnownAdapter[];
  /** The types whose runs runners execute, by every name that an agent may have for them. */
  ofRunners: string[];
}

/** Throws on two adapters of one type: which of them would run must not depend on order. */
export function createAdapterRegistry(adapters: KnownAdapter[]): AdapterRegistry {
  const byType = new Map<string, KnownAdapter>();
  for (const adapter of adapters) {
    if (byType.has(adapter.type)) throw new Error(`two adapters of type ${adapter.type}`);
    byType.set(adapter.type, adapter);
  }
  return {
    get: (type) => byType.get(canonicalAdapterType(type)),
    types: [...byType.keys()],
    all: adapters,
    ofRunners: adapters
      .filter(({ startsProcesses }) => startsProcesses)
      .flatMap(({ type }) => [type, ...adapterAliases(type)]),
  };
}

import type { KnownAdapter } from '@switchyard/runner/agents/agent-adapter';
import { adapterAliases, canonicalAdapterType } from '@switchyard/types';

export interface AdapterRegistry {
  get(type: string): KnownAdapter | undefined;
  types: string[];
  all: readonly KnownAdapter[];
  runnerTypes: string[];
}

export function createAdapterRegistry(adapters: KnownAdapter[]): AdapterRegistry {
  const byType = new Map<string, KnownAdapter>();
  for (const adapter of adapters) {
    if (byType.has(adapter.type))
      throw new Error(`the adapter type ${adapter.type} is registered twice`);
    byType.set(adapter.type, adapter);
  }
  return {
    get: (type) => byType.get(canonicalAdapterType(type)),
    types: [...byType.keys()],
    all: adapters,
    runnerTypes: adapters
      .filter(({ startsProcesses }) => startsProcesses)
      .flatMap(({ type }) => [type, ...adapterAliases(type)]),
  };
}

import { join } from 'node:path';
import { cacheFor } from '@switchyard/async';
import { type AdapterModel, canonicalAdapterType } from '@switchyard/types';
import { type DiscoveryCommand, type DiscoveryOptions, discoverOutput } from './discover-output';
import type { ModelSettings } from './model-settings';
import { distinctModels, readModelCatalog, readProviderModels } from './read-models';

export interface ModelCatalog {
  list(adapterType: string): Promise<AdapterModel[] | null>;
  close(): Promise<void>;
}

const TIMEOUT_MS = 5_000;
const FRESHNESS = { foundMs: 60_000, failedMs: 10_000 };

const CODEX_LISTING = ['debug', 'models'];
const OPENCODE_LISTING = ['models'];

/**
 * Lists models by the rules of the specification ("Adapter model listing rules"): for Claude Code
 * the configured models, for OpenCode those that the program lists, and for Codex both. A failed
 * discovery adds no models.
 */
export function createModelCatalog(
  config: { models: ModelSettings; dataDir: string },
  children: DiscoveryOptions['children'],
): ModelCatalog {
  const { models } = config;
  const closing = new AbortController();
  const underWay = new Set<Promise<unknown>>();
  const options = {
    folder: join(config.dataDir, 'discovery'),
    children,
    timeoutMs: TIMEOUT_MS,
    signal: closing.signal,
  };

  const discovery = (command: DiscoveryCommand, read: (text: string) => AdapterModel[]) =>
    cacheFor(async () => {
      const work = discoverOutput(command, options);
      underWay.add(work);
      const output = await work.finally(() => underWay.delete(work));
      const found = output === null ? [] : read(output);
      return found.length > 0 ? found : null;
    }, FRESHNESS);
  const discoverCodex = discovery(
    { adapterType: 'model_b_local', command: models.codex.command, args: CODEX_LISTING },
    readModelCatalog,
  );
  const discoverOpenCode = discovery(
    { adapterType: 'model_c_local', command: models.openCode.command, args: OPENCODE_LISTING },
    readProviderModels,
  );

  const lists: Record<string, () => Promise<AdapterModel[]>> = {
    model_a_local: async () => models.claudeCode.configured,
    model_b_local: async () =>
      distinctModels([...models.codex.configured, ...((await discoverCodex()) ?? [])]),
    model_c_local: async () => (await discoverOpenCode()) ?? [],
  };
  return {
    async list(adapterType) {
      const type = canonicalAdapterType(adapterType);
      return Object.hasOwn(lists, type) ? (lists[type]?.() ?? null) : null;
    },
    close: async () => {
      closing.abort();
      await Promise.allSettled(underWay);
    },
  };
}

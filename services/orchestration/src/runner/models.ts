import type { ModelCatalog } from '../adapters/models/model-catalog';
import type { RunnerProgramSettings } from './runner-settings';

type Settings = Pick<RunnerProgramSettings, 'models' | 'dataDir' | 'inherited' | 'isAuthenticated'>;

/** What the tools here list as their models, for checks; loaded with the first check that asks. */
export function openModels(settings: Settings): Pick<ModelCatalog, 'list'> {
  let opened: Promise<ModelCatalog> | null = null;
  return {
    list: async (type) => {
      opened ??= load(settings);
      return (await opened).list(type);
    },
  };
}

async function load({ models, dataDir, inherited, isAuthenticated }: Settings) {
  const { createModelCatalog } = await import('../adapters/models/model-catalog.js');
  const authMode = isAuthenticated ? 'authenticated' : 'local_trusted';
  return createModelCatalog({ models, dataDir, inherited, authMode });
}

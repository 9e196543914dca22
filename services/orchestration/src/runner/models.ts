import type { ChildSurroundings } from '../adapters/agents/environment/agent-home';
import type { ModelCatalog } from '../adapters/models/model-catalog';
import type { RunnerProgramSettings } from './runner-settings';

type Settings = Pick<RunnerProgramSettings, 'models' | 'dataDir'>;

/** What the tools here list as their models, for checks; loaded with the first check that asks. */
export function openModels(
  settings: Settings,
  children: ChildSurroundings,
): Pick<ModelCatalog, 'list'> {
  let opened: Promise<ModelCatalog> | null = null;
  return {
    list: async (type) => {
      opened ??= load(settings, children);
      return (await opened).list(type);
    },
  };
}

async function load({ models, dataDir }: Settings, children: ChildSurroundings) {
  const { createModelCatalog } = await import('../adapters/models/model-catalog.js');
  return createModelCatalog({ models, dataDir }, children);
}

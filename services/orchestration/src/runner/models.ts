import type { ChildSurroundings } from '../adapters/agents/environment/agent-home';
import type { ModelCatalog } from '../adapters/models/model-catalog';
import type { RunnerProgramSettings } from './runner-settings';

type Settings = Pick<RunnerProgramSettings, 'models' | 'dataDir'>;

/** What the tools here list as their models, for checks; loaded with the first check that asks. */
export function openModels(
  settings: Settings,
  children: ChildSurroundings,
): Pick<ModelCatalog, 'list'> {
  let opened: ModelCatalog | null = null;
  return {
    list: async (type) => {
      opened ??= load(settings, children);
      return opened.list(type);
    },
  };
}

function load({ models, dataDir }: Settings, children: ChildSurroundings) {
  const { createModelCatalog } =
    require('../adapters/models/model-catalog') as typeof import('../adapters/models/model-catalog');
  return createModelCatalog({ models, dataDir }, children);
}

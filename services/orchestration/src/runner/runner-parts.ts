import { join } from 'node:path';
import type { AdapterExecution } from '../adapters/agents/agent-adapter';
import { pricer } from '../adapters/agents/coding-agents/pricer';
import { createProcessAdapter } from '../adapters/agents/command/process-adapter';
import type { ChildSurroundings } from '../adapters/agents/environment/agent-home';
import { type Confinements, createConfinements } from '../adapters/sandbox/confinement';
import { openCodingAgents } from './coding-agents';
import type { CheckParts } from './execute/check-agent';
import type { Execution } from './execute/execute-run';
import type { WayOutParts } from './execute/open-way-out';
import { openModels } from './models';
import { openRepositories } from './repositories';
import type { RunnerProgramSettings } from './runner-settings';

export type RunnerParts = CheckParts & {
  wayOut: WayOutParts;
  dollars: Execution['dollars'];
  adapters(): readonly AdapterExecution[];
  confinements: Confinements;
};

type PartSettings = Pick<
  RunnerProgramSettings,
  | 'agentHomeFolders'
  | 'agentVariables'
  | 'dataDir'
  | 'gateway'
  | 'inherited'
  | 'isAuthenticated'
  | 'models'
  | 'processAdapterCommands'
  | 'repositories'
  | 'sandbox'
>;

/** What executes runs on this host: adapters, repositories, folders. */
export function createRunnerParts(settings: PartSettings): RunnerParts {
  const { dataDir, inherited, isAuthenticated, models, repositories } = settings;
  const { PATH: path, HOME: home } = inherited;
  const trusted = isAuthenticated ? null : { path, home, dataDir };
  const confinements = createConfinements(settings.sandbox, trusted);
  const children: ChildSurroundings = {
    inherited,
    homes: join(dataDir, 'homes'),
    shared: isAuthenticated ? null : settings.agentHomeFolders,
    confinements,
  };
  const adapters: AdapterExecution[] = [
    createProcessAdapter({
      allowedCommands: settings.processAdapterCommands,
      allowedVariables: isAuthenticated ? settings.agentVariables.commands : 'any',
      children,
    }) as AdapterExecution,
    ...openCodingAgents({
      settings: models,
      allowedVariables: isAuthenticated ? settings.agentVariables.codingAgents : 'any',
      children,
      providers: Object.keys(settings.gateway.providers),
      listModels: openModels(settings, children).list,
    }),
  ];
  const byType = new Map(adapters.map((adapter) => [adapter.type, adapter]));
  const { caFile, allowedHosts } = repositories;
  return {
    wayOut: {
      confinements,
      gateway: settings.gateway,
      repositories: { caFile, allowedHosts, allowLoopback: !isAuthenticated },
    },
    dollars: pricer(models),
    confinements,
    adapters: () => adapters,
    adapterOf: (type) => byType.get(type),
    places: {
      dataDir,
      home: trusted?.home ?? null,
      workspaceRoots: repositories.workspaceRoots,
      repositories: openRepositories(settings, confinements),
    },
    probeGit: async (signal) => {
      const { probeGit } =
        require('../adapters/repositories/git/probe-git') as typeof import('../adapters/repositories/git/probe-git');
      return probeGit({ dataDir, inherited }, signal, confinements);
    },
  };
}

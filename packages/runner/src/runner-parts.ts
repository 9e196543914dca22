import { join } from 'node:path';
import type { AdapterExecution } from './agents/agent-adapter';
import { createCodingAgents } from './agents/coding-agents/coding-agents';
import { pricer } from './agents/coding-agents/pricer';
import { createProcessAdapter } from './agents/command/process-adapter';
import type { ChildSurroundings } from './agents/environment/agent-home';
import type { CheckParts } from './execute/check-agent';
import type { TestedPlaces } from './execute/check-workspace';
import type { Execution } from './execute/execute-run';
import type { RunNetworkParts } from './execute/open-run-network';
import type { Places } from './execute/working-directory';
import { createModelCatalog } from './models/model-catalog';
import { probeGit } from './repositories/git/probe-git';
import { createHostLock } from './repositories/host-lock';
import { createRepositoryCache, type RepositoryCache } from './repositories/repository-cache';
import type { RunnerProgramSettings } from './runner-settings';
import { closedPlaces } from './sandbox/closed-places';
import { type Confinements, createConfinements } from './sandbox/confinement';

export type RunnerParts = CheckParts & {
  places: Places & TestedPlaces;
  runNetwork: RunNetworkParts;
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

export function createRunnerParts(settings: PartSettings): RunnerParts {
  const { dataDir, inherited, isAuthenticated, models, repositories } = settings;
  const { PATH: path, HOME: home } = inherited;
  const { workspaceRoots } = repositories;
  const closed = closedPlaces({ home, dataDir, workspaceRoots });
  const trusted = isAuthenticated ? null : { path, closed };
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
    ...createCodingAgents({
      settings: models,
      allowedVariables: isAuthenticated ? settings.agentVariables.codingAgents : 'any',
      children,
      providers: Object.keys(settings.gateway.providers),
      listModels: createModelCatalog({ models, dataDir }, children).list,
    }),
  ];
  const byType = new Map(adapters.map((adapter) => [adapter.type, adapter]));
  const { caFile, allowedHosts } = repositories;
  return {
    runNetwork: {
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
      home: isAuthenticated ? null : (home ?? null),
      workspaceRoots: repositories.workspaceRoots,
      repositories: openRepositories(settings, confinements),
    },
    probeGit: (signal) => probeGit({ dataDir, inherited }, signal, confinements),
  };
}

type Settings = Pick<
  RunnerProgramSettings,
  'dataDir' | 'inherited' | 'isAuthenticated' | 'repositories'
>;

function openRepositories(
  { dataDir, inherited, isAuthenticated, repositories }: Settings,
  confinements: Confinements,
): RepositoryCache {
  return createRepositoryCache({
    root: join(dataDir, 'repositories'),
    settings: repositories,
    rules: { allowLoopback: !isAuthenticated, allowedHosts: repositories.allowedHosts },
    ssh: {
      usesWorkerKeys: !isAuthenticated,
      knownHostsFile: repositories.sshKnownHostsFile,
      knownHostsFolder: join(dataDir, 'known-hosts'),
    },
    inherited,
    isolated: isAuthenticated,
    exclusive: createHostLock(join(dataDir, 'runner', 'locks')),
    confinements,
  });
}

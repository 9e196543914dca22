import { randomBytes } from 'node:crypto';
import type { SandboxPolicy } from '@switchyard/sandbox';
import type { RunSpec } from '@switchyard/types';
import type { Confinements } from '../../adapters/sandbox/confinement';
import { openGateway } from '../gateway/open-gateway';
import { type Bookkeeping, createProviderMeter } from '../gateway/usage/provider-meter';
import { cannotStart } from './cannot-start';

/** What a run reaches of the world: our API, and what the gateway lets it to. */
export interface WayOut {
  network: SandboxPolicy['network'];
  /** By which its programs find the way. */
  variables: Record<string, string>;
  /** Whether the run has called a provider with the operator's key. */
  hasCalled(provider: string): boolean;
  close(): Promise<void>;
}

export interface WayOutParts {
  confinements: Pick<Confinements, 'sandbox'>;
  /** Of the operator's settings. */
  gateway: { allowedHosts: string[]; providers: Record<string, Provider> };
  repositories: { caFile: string | null; allowedHosts: string[]; allowLoopback: boolean };
}

interface Provider {
  baseUrl: string;
  header: string;
  value: string;
}

type Way = Pick<
  RunSpec,
  | 'companyId'
  | 'environment'
  | 'apiUrl'
  | 'publicUrl'
  | 'allowList'
  | 'workspace'
  | 'repositoryCredential'
>;

/**
 * Opens the gateway of one run, and where its processes find it.
 * @throws CannotStart where no sandbox can be made, without which there is no way out that is watched
 */
export async function openWayOut(
  { confinements, gateway: settings, repositories }: WayOutParts,
  run: { id: string; token: string },
  spec: Way,
  { say, ...bookkeeping }: Bookkeeping & { say(line: string): void },
): Promise<WayOut> {
  const { companyId, apiUrl, publicUrl, allowList, environment } = spec;
  const sandbox = await confinements.sandbox().catch((error: unknown) => {
    throw cannotStart(
      'sandbox_unavailable',
      error instanceof Error ? error.message : String(error),
    );
  });
  const meter = createProviderMeter(bookkeeping);
  const gateway = openGateway({
    run: { ...run, companyId },
    apiUrl,
    publicUrl: publicUrl ?? apiUrl,
    rules: { allowedHosts: settings.allowedHosts },
    allowList,
    repositories: repositoriesOf(spec, repositories),
    providers: settings.providers,
    // Other accounts and programs of this host reach its loopback too.
    proxySecret: sandbox.hasOwnNetwork ? null : randomBytes(24).toString('hex'),
    meter,
    onHost: (line) => say(`${line}\n`),
  });
  const network = await sandbox.openNetwork(gateway.accept).catch(async (error: unknown) => {
    await gateway.close();
    throw error;
  });
  return {
    network,
    variables: {
      ...gateway.environment(network.port, environment),
      ...gitVariables(gateway.gitConfig(network.port)),
    },
    hasCalled: meter.hasCalled,
    close: async () => {
      await network.close();
      await gateway.close();
    },
  };
}

/** The run's own repository, which its git asks the gateway for; ssh has a way of its own. */
function repositoriesOf(
  { workspace, repositoryCredential: credential }: Way,
  { caFile, ...rules }: WayOutParts['repositories'],
) {
  const url = workspace?.cwd ? null : workspace?.repoUrl;
  if (!url?.startsWith('https://')) return [];
  return [{ prefix: '/repositories/0', url, credential, caFile, rules }];
}

/** Settings by variables are for the processes of this run alone: no file keeps its token. */
function gitVariables(settings: [key: string, value: string][]): Record<string, string> {
  const entries = settings.flatMap(([key, value], at) => [
    [`GIT_CONFIG_KEY_${at}`, key],
    [`GIT_CONFIG_VALUE_${at}`, value],
  ]);
  return { GIT_CONFIG_COUNT: String(settings.length), ...Object.fromEntries(entries) };
}

import { randomBytes } from 'node:crypto';
import type { SandboxPolicy } from '@switchyard/sandbox';
import type { RunSpec } from '@switchyard/types';
import type { GatewaySettings } from '../gateway/gateway-settings';
import { openGateway } from '../gateway/open-gateway';
import { type Bookkeeping, createProviderMeter } from '../gateway/usage/provider-meter';
import type { Confinements } from '../sandbox/confinement';
import { cannotStart } from './cannot-start';

export interface RunNetwork {
  network: SandboxPolicy['network'];
  variables: Record<string, string>;
  hasCalled(provider: string): boolean;
  close(): Promise<void>;
}

export interface RunNetworkParts {
  confinements: Pick<Confinements, 'sandbox'>;
  gateway: GatewaySettings;
  repositories: { caFile: string | null; allowedHosts: string[]; allowLoopback: boolean };
}

type NetworkSpec = Pick<
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
 * Requires a sandbox, because otherwise nothing would control the network.
 * @throws CannotStart without a sandbox
 */
export async function openRunNetwork(
  { confinements, gateway: settings, repositories }: RunNetworkParts,
  run: { id: string; token: string },
  spec: NetworkSpec,
  { logLine, ...bookkeeping }: Bookkeeping & { logLine(line: string): void },
): Promise<RunNetwork> {
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
    collector: settings.collector ?? null,
    proxySecret: sandbox.hasOwnNetwork ? null : randomBytes(24).toString('hex'),
    meter,
    onHost: (line) => logLine(`${line}\n`),
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

/** Includes only https: the run's git uses the gateway for https, but not for ssh. */
function repositoriesOf(
  { workspace, repositoryCredential: credential }: NetworkSpec,
  { caFile, ...rules }: RunNetworkParts['repositories'],
) {
  const url = workspace?.cwd ? null : workspace?.repoUrl;
  if (!url?.startsWith('https://')) return [];
  return [{ prefix: '/repositories/0', url, credential, caFile, rules }];
}

function gitVariables(settings: [key: string, value: string][]): Record<string, string> {
  const entries = settings.flatMap(([key, value], at) => [
    [`GIT_CONFIG_KEY_${at}`, key],
    [`GIT_CONFIG_VALUE_${at}`, value],
  ]);
  return { GIT_CONFIG_COUNT: String(settings.length), ...Object.fromEntries(entries) };
}

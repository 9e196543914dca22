import type { RunSpec } from '@switchyard/types';
import type { Egress } from '../../adapters/agents/agent-adapter';
import { rulesFor } from '../../adapters/network/guarded-connector';
import type { RepositorySettings } from '../../adapters/repositories/repository-settings';
import type { Confinements } from '../../adapters/sandbox/confinement';
import type { GatewaySettings } from '../gateway/gateway-settings';

export interface OpenedEgress extends Egress {
  /** Where the run finds the API. */
  apiUrl: string;
  close(): Promise<void>;
}

export interface EgressOptions {
  confinements: Pick<Confinements, 'sandbox'>;
  gateway: GatewaySettings;
  repositories: Pick<RepositorySettings, 'allowedHosts' | 'caFile'>;
  /** Local trusted mode, where repositories may be on this host. */
  isTrusted: boolean;
}

export type OpenEgress = (
  run: { id: string; spec: RunSpec },
  say: (line: string) => void,
) => Promise<OpenedEgress | null>;

/** Opens the one way out of a run; null without a sandbox, which alone would keep it from all others. */
export function egressBy(options: EgressOptions): OpenEgress {
  const { confinements, gateway: settings } = options;
  return async ({ id, spec }, say) => {
    const sandbox = await confinements.sandbox().catch(() => null);
    if (sandbox === null || sandbox.driver === 'off') return null;
    const { openGateway } = await import('../gateway/open-gateway.js');
    const gateway = openGateway({
      run: { id, companyId: spec.companyId, token: spec.environment.SERVICE_API_KEY ?? '' },
      apiUrl: spec.apiUrl,
      rules: { allowedHosts: settings.allowedHosts },
      allowList: spec.allowList,
      repositories: repositoriesOf(spec, options),
      providers: settings.providers,
      onHost: (line) => say(`${line}\n`),
    });
    const network = await sandbox.openNetwork(gateway.accept);
    const { SERVICE_API_URL: apiUrl = spec.apiUrl, ...variables } = gateway.environment(
      network.port,
      spec.environment,
    );
    return {
      network,
      apiUrl,
      variables: { ...variables, ...asVariables(gateway.gitConfig(network.port)) },
      close: async () => {
        await network.close();
        await gateway.close();
      },
    };
  };
}

/** With what the agent's git gets at the repository of its workspace; ssh has no gateway. */
function repositoriesOf(
  { companyId, workspace, repositoryCredential: credential }: RunSpec,
  { repositories: { allowedHosts, caFile }, isTrusted }: EgressOptions,
) {
  const url = workspace?.repoUrl;
  if (!url || !/^https:\/\//i.test(url)) return [];
  const setting = 'REPOSITORY_ALLOWED_HOSTS';
  const rules = rulesFor({ allowLoopback: isTrusted, allowedHosts, setting }, companyId);
  return [{ prefix: '/repositories/0', url, credential, caFile, rules }];
}

/** Settings of git by variables: in no file, and so in no later run. */
function asVariables(config: [key: string, value: string][]): Record<string, string> {
  const entries = config.flatMap(([key, value], at) => [
    [`GIT_CONFIG_KEY_${at}`, key],
    [`GIT_CONFIG_VALUE_${at}`, value],
  ]);
  return { GIT_CONFIG_COUNT: String(config.length), ...Object.fromEntries(entries) };
}

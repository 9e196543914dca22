import createFetchClient, { type Client, type ClientOptions } from 'openapi-fetch';
import type { paths as MetricsPaths } from './generated/metrics';
import type { components, paths as OrchestrationPaths } from './generated/orchestration';

export type OrchestrationClient = Client<OrchestrationPaths>;

export type Schemas = components['schemas'];

export interface ClientSettings extends Pick<ClientOptions, 'fetch' | 'headers'> {
  baseUrl: string;
}

export interface OrchestrationSettings extends ClientSettings {
  /**
   * A personal access token, an agent's API key or a run token. Without one the client relies on
   * the cookie or local mode.
   */
  token?: string | undefined;
}

const querySerializer = { array: { style: 'form', explode: false } } as const;

export function createClient(settings: OrchestrationSettings): OrchestrationClient {
  const { token, headers, ...rest } = settings;
  const credential = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return createFetchClient<OrchestrationPaths>({
    ...rest,
    querySerializer,
    headers: { ...credential, ...(headers as Record<string, string> | undefined) },
  });
}

export function createMetricsClient(settings: ClientSettings): Client<MetricsPaths> {
  return createFetchClient<MetricsPaths>({ ...settings, querySerializer });
}

import { freePort } from '@switchyard/testing';
import type { Config } from '../src/config';
import { startProcess, type WorkerProcess } from './worker-process';

export interface ApiProcess extends WorkerProcess {
  url: string;
}

export async function startApiProcess(
  config: Config,
  environment: Record<string, string> = {},
): Promise<ApiProcess> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const started = await startProcess(config, 'api', '"api is listening"', {
    API_PORT: String(port),
    API_PROMETHEUS_PORT: '0',
    AGENT_PORT: '0',
    PUBLIC_URL: url,
    ...environment,
  });
  return { ...started, url };
}

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Certified } from '@switchyard/runner/test/self-signed';
import type { ProviderFormat, ProviderRequest, ScriptedStep } from './provider-script';

export interface ScriptedProvider {
  url: string;
  requests: ProviderRequest[];
  play(steps: ScriptedStep[]): void;
  close(): Promise<void>;
}

/**
 * A loopback address other than 127.0.0.1, which a sandbox uses for itself. Programs reach it
 * through the gateway, as a host that the operator allows.
 */
export const PROVIDER_HOST = process.platform === 'linux' ? '127.0.0.2' : '127.0.0.1';

const NO_TOKENS = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

function sendJson(response: ServerResponse, status: number, value: object, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(value));
}

export async function serveProvider(
  format: ProviderFormat,
  host = '127.0.0.1',
  tls?: Certified,
): Promise<ScriptedProvider> {
  let steps: ScriptedStep[] = [];
  let served = 0;
  const requests: ProviderRequest[] = [];

  const answer = (request: ProviderRequest, response: ServerResponse) => {
    const { path, body } = request;
    if (!format.paths.test(path)) return sendJson(response, 404, { error: { message: path } });
    const [next] = steps;
    if (next && 'status' in next) {
      requests.push(request);
      return sendJson(response, next.status, next.error, next.headers);
    }
    const isTurn =
      format.shellCall(body, '') !== null || format.serverCall(body, 'claim', {}) !== null;
    if (isTurn) requests.push(request);
    const scripted = isTurn ? steps.shift() : { say: 'A title', tokens: NO_TOKENS };
    const step = typeof scripted === 'function' ? scripted(request) : scripted;
    if (!step || 'status' in step) {
      return sendJson(response, 400, { error: { message: 'the script has come to its end' } });
    }
    const { say, shell, use, tokens } = step;
    const call =
      (shell && format.shellCall(body, shell)) ||
      (use ? format.serverCall(body, use.tool, use.input) : null) ||
      null;
    served += 1;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    return response.end(format.write({ id: served, model: String(body.model), say, call, tokens }));
  };

  const receive = (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8');
      const body = text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {};
      const { url: path = '', headers } = request;
      answer({ path, headers, body }, response);
    });
  };
  const server = tls
    ? createSecureServer({ key: tls.key, cert: tls.certificate }, receive)
    : createServer(receive);
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return {
    url: `${tls ? 'https' : 'http'}://${host}:${(server.address() as AddressInfo).port}`,
    requests,
    play: (script) => {
      steps = [...script];
      requests.length = 0;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

import type { IncomingMessage } from 'node:http';
import { valuesOf } from './headers';
import { Refusal } from './refusal';
import { isSameToken } from './same-token';

const USER = 'run';

/** The address of the proxy as programs read it from variables, with the name and password that the gateway asks for. */
export const proxyUrl = (port: number, secret: string | null): string =>
  `http://${secret === null ? '' : `${USER}:${secret}@`}127.0.0.1:${port}`;

/** @throws Refusal 407 unless the request shows the run's secret; null asks for none */
export function assertOwnProgram(secret: string | null, request: IncomingMessage): void {
  if (secret === null) return;
  const shown = valuesOf(request, 'proxy-authorization');
  const [, basic = ''] = /^Basic +(\S+)$/i.exec(shown[0] ?? '') ?? [];
  const wanted = Buffer.from(`${USER}:${secret}`).toString('base64');
  if (shown.length === 1 && isSameToken(basic, wanted)) return;
  throw new Refusal(
    407,
    'this proxy requires the user name and password from HTTP_PROXY of its run',
  );
}

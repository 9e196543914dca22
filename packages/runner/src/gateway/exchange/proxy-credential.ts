import type { IncomingMessage } from 'node:http';
import { showsProxySecret } from '../../network/proxy-secret';
import { valuesOf } from './headers';
import { Refusal } from './refusal';

export function assertOwnProgram(secret: string | null, request: IncomingMessage): void {
  if (showsProxySecret(valuesOf(request, 'proxy-authorization'), secret)) return;
  throw new Refusal(
    407,
    'this proxy requires the user name and password from HTTP_PROXY of its run',
  );
}

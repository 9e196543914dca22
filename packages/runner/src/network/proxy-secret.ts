import { isSameToken } from './same-token';

const USER = 'run';

export const proxyUrl = (port: number, secret: string | null): string =>
  `http://${secret === null ? '' : `${USER}:${secret}@`}127.0.0.1:${port}`;

export function showsProxySecret(shown: readonly string[], secret: string | null): boolean {
  if (secret === null) return true;
  const [, basic = ''] = /^Basic +(\S+)$/i.exec(shown[0] ?? '') ?? [];
  const wanted = Buffer.from(`${USER}:${secret}`).toString('base64');
  return shown.length === 1 && isSameToken(basic, wanted);
}

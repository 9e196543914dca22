import type { Logger } from '@switchyard/server';
import type { Application } from 'express';
import { compile } from 'proxy-addr';

const FORWARDED = 'x-forwarded-for';

/**
 * `X-Forwarded-For` counts as far as each address that passed it on is a proxy of the operator's; whoever
 * connects from elsewhere is nobody but the peer. A proxy that is missing in the list makes one address
 * of all its clients, which is said once.
 */
export function trustProxies(
  app: Application,
  proxies: string[],
  logger: Pick<Logger, 'warn'>,
): void {
  const isTrusted = compile(proxies);
  app.set('trust proxy', isTrusted);
  let wasSaid = false;
  app.use((request, _response, next) => {
    const peer = request.socket.remoteAddress ?? '';
    if (!wasSaid && request.headers[FORWARDED] !== undefined && !isTrusted(peer, 0)) {
      wasSaid = true;
      logger.warn(
        'X-Forwarded-For of an address that TRUSTED_PROXIES does not name is ignored: if it is a proxy of yours, all its clients count as one address',
        { address: peer },
      );
    }
    next();
  });
}

import type { Logger } from '@switchyard/server';
import type { Application } from 'express';
import { compile } from 'proxy-addr';

const FORWARDED = 'x-forwarded-for';

/**
 * Trusts `X-Forwarded-For` only from the operator's proxies. If a proxy is missing from the list,
 * all its clients share one address; this is logged once.
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
        'X-Forwarded-For is ignored because TRUSTED_PROXIES does not contain the address of the sender; if the sender is your proxy, add its address: until then, all clients of the proxy count as one address',
        { address: peer },
      );
    }
    next();
  });
}

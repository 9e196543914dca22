import type { Exchange as CcxtExchange } from 'ccxt';
import { costOf } from '../access/answers/answers';
import { callScope } from './call-scope';
import type { Limiter } from './limiter';

export interface RequestLimits {
  limiter: Limiter | null;
  owner: string;
  base: string;
  isOpen(): boolean;
}

/**
 * Queues each request before the library signs it, because the signature contains the time. If
 * several grids of one collection make the same request, sends it once.
 */
export function limitRequests(ccxt: CcxtExchange, limits: RequestLimits): void {
  const { limiter, owner, base, isOpen } = limits;
  const { fetch2 } = ccxt;
  const answers = new WeakMap<AbortSignal, Map<string, Promise<unknown>>>();
  ccxt.fetch2 = async (...asked) => {
    const [path, api, method = 'GET', params, headers, body] = asked;
    const url = new URL(ccxt.sign(path, api, method, params, headers, body).url as string);
    const found = costOf(ccxt.id, method, url.pathname.slice(base.length));
    const send = () => fetch2.apply(ccxt, asked);
    const { target = ccxt.id, signal } = callScope.getStore() ?? {};
    if (!found) return send();
    const sendInTurn = async () => {
      if (limiter === null || isOpen()) return send();
      return limiter.send({ ...found, owner, query: url.searchParams, target, signal }, send);
    };
    if (!signal || !FOR_GRIDS.includes(found.cost.per)) return sendInTurn();
    const known = answers.get(signal) ?? new Map<string, Promise<unknown>>();
    answers.set(signal, known);
    const key = JSON.stringify([api, path, params]);
    const answer = known.get(key) ?? sendInTurn();
    known.set(key, answer);
    answer.catch(() => known.delete(key));
    return answer;
  };
}

const FOR_GRIDS: readonly unknown[] = ['grid', 'grids'];

import type { Exchange as CcxtExchange } from 'ccxt';
import { costOf } from '../access/answers/answers';
import { callScope } from './call-scope';
import type { Limiter } from './limiter';

export interface RequestLimits {
  limiter: Limiter | null;
  owner: string;
  base: string;
  /** True while no request would be sent: none waits then. */
  isOpen(): boolean;
}

/**
 * Has each request wait for its turn before the library signs it, because a signature holds the time. What several grids of a
 * collection ask for alike is asked for once.
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
    // A failed request is sent again when the call is repeated.
    answer.catch(() => known.delete(key));
    return answer;
  };
}

const FOR_GRIDS: readonly unknown[] = ['grid', 'grids'];

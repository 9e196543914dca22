import { isSameToken } from '../../network/same-token';
import { agentTo, lazyAgent } from '../exchange/agents';
import { isClaim, valuesOf } from '../exchange/headers';
import { Refusal } from '../exchange/refusal';
import type { Origin } from './origin';

/**
 * Requires the run's token also in local mode: without a token the API would treat the request as
 * the board's.
 */
export function openApi({
  apiUrl,
  token,
  signal,
}: {
  apiUrl: string;
  token: string;
  signal: AbortSignal;
}): Origin {
  const { origin, pathname } = new URL(apiUrl);
  const base = pathname.replace(/\/$/, '');
  const agent = lazyAgent(() => agentTo(apiUrl, signal));
  return {
    find: (request, path) => {
      const shown = valuesOf(request, 'authorization');
      const [, bearer] = /^Bearer +(\S+)$/i.exec(shown[0] ?? '') ?? [];
      if (shown.length !== 1 || bearer === undefined || !isSameToken(bearer, token)) {
        const text =
          'requests to the API require the token of this run: Authorization: Bearer $SERVICE_API_KEY';
        throw new Refusal(401, text, 'unauthenticated');
      }
      // Adds its own `Authorization`, because the client's would be removed if `Connection` listed
      // it.
      const drops = (name: string) => isClaim(name) || name === 'authorization';
      const adds = ['authorization', `Bearer ${token}`];
      const to = { name: 'the API', code: 'unavailable' as const, agent, origin };
      return { ...to, path: `${base}${path}`, drops, adds };
    },
    environment: (own) => ({ SERVICE_API_URL: own }),
    close: agent.close,
  };
}

import { isSameToken } from '../../network/same-token';
import type { HostLines } from '../egress/host-lines';
import { agentTo, lazyAgent } from '../exchange/agents';
import { hasBody } from '../exchange/forward-exchange';
import { shownTokens } from '../exchange/headers';
import { bodyHolder } from '../exchange/hold-body';
import { Refusal } from '../exchange/refusal';
import { below } from './below';
import { filterSpans } from './filter-spans';
import type { Origin } from './origin';

export interface Collector {
  url: string;
  headers: Record<string, string>;
}

const PREFIX = '/otlp';
const PATH = `${PREFIX}/v1/traces`;
const MAX_REQUESTS = 60;
const RATE_MS = 60_000;
const LIMITS = {
  what: 'an export of traces',
  maxBytes: 1024 * 1024,
  maxHeldBytes: 4 * 1024 * 1024,
};

/**
 * The operator's collector of traces, for spans of the run's programs as OTLP over HTTP with JSON.
 * Forwards names, times and counts, but no texts.
 */
export function openTraces({
  collector,
  run,
  lines,
  signal,
}: {
  collector: Collector;
  run: { id: string; companyId: string; token: string };
  lines: HostLines;
  signal: AbortSignal;
}): Origin {
  const { origin, host, pathname, search } = new URL(collector.url);
  const agent = lazyAgent(() => agentTo(collector.url, signal));
  const hold = bodyHolder(LIMITS);
  const isTooOften = rateOf(MAX_REQUESTS, RATE_MS);
  return {
    find: (request, path) => {
      if (below(path, PREFIX) === null) return null;
      if (!shownTokens(request).some((shown) => isSameToken(shown, run.token))) {
        throw new Refusal(401, 'traces require the token of this run as the bearer token');
      }
      if (path !== PATH) throw new Refusal(404, `only ${PATH} is available`);
      if (request.method !== 'POST') throw new Refusal(405, `${PATH} requires POST`);
      const { 'content-type': type = '', 'content-encoding': encoding } = request.headers;
      if (!/^application\/json *(?:;|$)/i.test(type) || encoding !== undefined) {
        throw new Refusal(415, 'traces must be uncompressed OTLP in JSON (application/json)');
      }
      if (!hasBody(request)) throw new Refusal(400, 'the body must contain resourceSpans');
      if (isTooOften()) {
        throw new Refusal(429, `a run may export traces ${MAX_REQUESTS} times per minute`);
      }
      return {
        name: 'the collector of traces',
        agent,
        origin,
        path: `${pathname}${search}`,
        drops: () => true,
        adds: ['content-type', 'application/json', ...Object.entries(collector.headers).flat()],
        hold,
        rewrite: (body) => filterSpans(body, run),
        onStatus: (status) => {
          lines.reached(host, 'traces');
          if ([401, 403, 407].includes(status) || (status >= 300 && status < 400)) {
            throw new Refusal(502, `the collector of traces responded with ${status}`);
          }
        },
      };
    },
    environment: (own) => ({
      OTEL_TRACES_EXPORTER: 'otlp',
      OTEL_METRICS_EXPORTER: 'none',
      OTEL_LOGS_EXPORTER: 'none',
      OTEL_EXPORTER_OTLP_ENDPOINT: `${own}${PREFIX}`,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_EXPORTER_OTLP_HEADERS: `authorization=${run.token}`,
      // 512 spans of Codex, the default, exceed the limit.
      OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '128',
      CLAUDE_CODE_ENABLE_TELEMETRY: '1',
      CLAUDE_CODE_ENHANCED_TELEMETRY_BETA: '1',
    }),
    close: agent.close,
  };
}

function rateOf(most: number, perMs: number): () => boolean {
  let since = Number.NEGATIVE_INFINITY;
  let count = 0;
  return () => {
    const now = performance.now();
    if (now - since >= perMs) [since, count] = [now, 0];
    count += 1;
    return count > most;
  };
}

import type { Readable } from 'node:stream';
import { type Clock, systemClock } from '@switchyard/async';
import { type Connector, sendRequest } from '@switchyard/deliverer';
import type {
  AdapterOutcome,
  AdapterRun,
  AgentAdapter,
} from '@switchyard/runner/agents/agent-adapter';
import { createUsageReader } from '@switchyard/runner/agents/output/usage-lines';
import { watchLimits } from '@switchyard/runner/agents/run-limits';
import {
  AddressRefusedError,
  type ConnectRules,
  createGuardedConnector,
  refuseWrittenAddress,
  rulesFor,
} from '@switchyard/runner/network/guarded-connector';
import { parseRetryAfter, SIGNING_KEY_RULE, signingKey, signRequest } from '@switchyard/server';
import { checkAddress } from './check-address';
import { codingsOf, decodeBody, isDecodable } from './decode-body';
import { type HttpConfig, httpConfig } from './http-config';
import { describeAnswer, describeConnectionError } from './http-outcome';
import { type PlainHttpRules, refusePlainHttp } from './plain-http';

export const MAX_BODY_BYTES = 4 * 1024 * 1024;

export interface HttpAdapterOptions extends ConnectRules, PlainHttpRules {
  clock?: Clock;
}

function buildBody(run: AdapterRun<HttpConfig>): string {
  return JSON.stringify({
    runId: run.runId,
    companyId: run.companyId,
    agentId: run.agentId,
    wakeSource: run.environment.SERVICE_WAKE_SOURCE ?? null,
    wakeReason: run.environment.SERVICE_WAKE_REASON ?? null,
    issueId: run.environment.SERVICE_ISSUE_ID ?? null,
    wakes: run.wakes,
    environment: { ...run.environment },
  });
}

function buildHeaders(configured: Record<string, string>): Record<string, string> {
  const named = new Set(Object.keys(configured).map((name) => name.toLowerCase()));
  const usual = Object.entries(USUAL_HEADERS).filter(([name]) => !named.has(name));
  return { ...Object.fromEntries(usual), ...configured };
}

/** Without `Accept-Encoding` any coding is acceptable (RFC 9110, section 12.5.3). */
const USUAL_HEADERS = { 'content-type': 'application/json', 'accept-encoding': 'identity' };

async function readBody(
  body: Readable,
  run: AdapterRun<HttpConfig>,
  onDefect: (error: unknown) => void,
): Promise<void> {
  const usage = createUsageReader(run);
  let room = MAX_BODY_BYTES;
  for await (const piece of body) {
    const chunk = (piece as Buffer).subarray(0, room);
    const isCut = chunk.length < (piece as Buffer).length;
    room -= chunk.length;
    try {
      run.onOutput(chunk);
      usage.write(chunk);
      if (isCut) run.onOutput(Buffer.from(`\n[answer cut after ${MAX_BODY_BYTES} bytes]\n`));
    } catch (error) {
      onDefect(error);
      return;
    }
    if (isCut) return;
  }
  try {
    usage.end();
  } catch (error) {
    onDefect(error);
  }
}

const ACCEPTED = 202;

async function exchange(
  run: AdapterRun<HttpConfig>,
  options: HttpAdapterOptions,
  connect: Connector,
  signal: AbortSignal,
  onDefect: (error: unknown) => void,
): Promise<AdapterOutcome> {
  const { url, method, headers, timeoutSec } = run.config;
  const begun = performance.now();
  const clock = options.clock ?? systemClock;
  const body = buildBody(run);
  const answer = await sendRequest({
    url,
    method,
    headers: { ...buildHeaders(headers), ...signatureOf(run, body, clock.now()) },
    body,
    connect,
    signal,
  });
  const status = answer.statusCode ?? 0;
  const codings = codingsOf(answer.headers['content-encoding']);
  const isReadable = isDecodable(codings);
  if (isReadable) await readBody(await decodeBody(answer, codings), run, onDefect);
  else
    run.onOutput(
      Buffer.from(`[answer encoded as ${codings.join(', ').slice(0, 200)} is not shown]\n`),
    );
  if (status === ACCEPTED) {
    return { status: 'accepted', withinMs: timeoutSec * 1000 - (performance.now() - begun) };
  }
  if (!isReadable && status >= 200 && status < 300) return refused('http_encoding', ENCODING_RULE);
  const retryAfterMs = parseRetryAfter(answer.headers['retry-after'], clock.now());
  const isSigned = run.signingSecret !== null;
  return describeAnswer({ status, isSigned, retryAfterMs });
}

/**
 * The id contains the number of the claim, because a receiver that drops repeated ids must not drop
 * a call with a new token.
 */
function signatureOf(run: AdapterRun<HttpConfig>, body: string, at: Date): Record<string, string> {
  const key = run.signingSecret === null ? null : signingKey(run.signingSecret);
  return key === null ? {} : signRequest([key], { id: `${run.runId}_${run.epoch}`, at, body });
}

const refused = (errorCode: string, error: string): AdapterOutcome => ({
  status: 'failed',
  exitCode: null,
  errorCode,
  error,
  transient: false,
});
const addressRefused = (error: string) => refused('address_refused', error);

const ENCODING_RULE =
  'the response must be encoded as gzip, deflate or br, or be sent without Content-Encoding';
const SECRET_RULE = `signingSecret ${SIGNING_KEY_RULE}`;
const lacksKey = (secret: string | null) => secret !== null && signingKey(secret) === null;

export function createHttpAdapter(options: HttpAdapterOptions): AgentAdapter<HttpConfig> {
  return {
    type: 'http',
    label: 'HTTP',
    description:
      'Calls a URL; the agent works elsewhere and responds with its output, or with 202 and finishes the run later.',
    configSchema: httpConfig,
    isRemote: true,
    forbids({ url }, companyId) {
      const text = refusePlainHttp(url, rulesFor(options, companyId));
      return text === null ? null : { field: 'url', text };
    },
    warnings({ url }, companyId) {
      const rules = rulesFor(options, companyId);
      const message = refusePlainHttp(url, rules) ?? refuseWrittenAddress(url, rules);
      const setting = 'HTTP_ADAPTER_ALLOWED_HOSTS';
      return message === null ? [] : [{ code: 'address_refused', message, setting }];
    },
    async check({ config, companyId, signingSecret, signal }) {
      const address = await checkAddress(config.url, rulesFor(options, companyId), signal);
      if (!lacksKey(signingSecret)) return [address];
      return [{ level: 'error', code: 'signing_secret_invalid', message: SECRET_RULE }, address];
    },
    async run(run) {
      if (run.signal.aborted) return { status: 'aborted', exitCode: null };
      const rules = rulesFor(options, run.companyId);
      const plain = refusePlainHttp(run.config.url, rules);
      if (plain !== null) return addressRefused(plain);
      if (lacksKey(run.signingSecret)) return refused('signing_secret_invalid', SECRET_RULE);
      const { timeoutSec } = run.config;
      const watch = watchLimits(run.signal, { timeoutMs: timeoutSec * 1000 });
      const life = new AbortController();
      const connect = createGuardedConnector(rules, life.signal);
      try {
        const answered = exchange(run, options, connect, life.signal, watch.fail).catch(
          (error): AdapterOutcome =>
            error instanceof AddressRefusedError
              ? addressRefused(error.message)
              : describeConnectionError(error),
        );
        const first = await Promise.race([watch.reached, answered]);
        if ('status' in first) {
          const reason = watch.reason();
          if (reason?.kind === 'defect') throw reason.error;
          return first;
        }
        if (first.kind === 'defect') throw first.error;
        if (first.kind === 'abort') return { status: 'aborted', exitCode: null };
        const error = `no complete answer within ${timeoutSec} s`;
        return { status: 'timed_out', exitCode: null, errorCode: 'timeout', error };
      } finally {
        watch.release();
        life.abort();
      }
    },
  };
}

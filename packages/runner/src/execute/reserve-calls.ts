import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { errorFields, type Logger } from '@switchyard/server/logger';
import type { ReservedSpendView, ReserveSpendBody, SettleSpendBody } from '@switchyard/types';
import type { ProviderCall } from '../agents/agent-adapter';
import { NO_TOKENS } from '../agents/coding-agents/streams/token-counts';
import type { ModelUse } from '../agents/coding-agents/tool-event';
import { Refusal } from '../gateway/exchange/refusal';
import { mostTokens, UNLIMITED_OUTPUT } from '../gateway/usage/most-tokens';
import type { Bookkeeping, ModelRequest } from '../gateway/usage/provider-meter';
import type { HeldRun } from '../held-runs';
import type { TextMask } from '../masking/output-masking';
import { Refused } from '../protocol/request';
import { retryUntilAccepted } from '../protocol/retry-until-accepted';
import type { RunProtocol } from '../protocol/run-protocol';
import type { PricedUses } from './price-provider-uses';
import { storableName } from './storable';

interface Options {
  protocol: Pick<RunProtocol, 'reserve' | 'settle'>;
  dollars(use: ModelUse): number | null;
  uses: Pick<PricedUses, 'price'>;
  mask: TextMask;
  logger: Logger;
  logLine(line: string): void;
}

export interface ReservedCalls extends Bookkeeping {
  refusal(): string | null;
  settled(): Promise<void>;
}

const SETTLE_MS = 600_000;
const WAIT_MS = 500;

/**
 * Reserves the highest cost of each call before it is sent, and settles the actual use when the
 * call ends. Waits while the server is unreachable, or while open calls have reserved the rest of
 * the budget. Settlements are also accepted after the run has ended.
 */
export function reserveCalls(
  { claim, isLost, signal }: Pick<HeldRun, 'claim' | 'isLost' | 'signal'>,
  { protocol, dollars, uses, mask, logger, logLine }: Options,
): ReservedCalls {
  const logged = new Set<string>();
  const open = new Set<Promise<void>>();
  const ended = AbortSignal.any([isLost, signal]);
  let refusal: string | null = null;

  const refuse = (code: string, text: string, settle: (type: string) => void): never => {
    settle(code);
    if (!logged.has(code)) logLine(`[usage] ${text}\n`);
    logged.add(code);
    throw new Refusal(402, text, null, inProvidersForm(code, text));
  };
  const named = (provider: string, model: string | null) => ({
    provider: storableName(mask(provider)),
    model: model === null ? null : storableName(mask(model)),
  });
  const masked = ({ provider, model, type }: NonNullable<ProviderCall['failure']>) => ({
    ...named(provider, model),
    type: type.replace(/\W/g, '_').slice(0, 64),
  });
  const send = (body: SettleSpendBody) => {
    const late = AbortSignal.timeout(SETTLE_MS);
    const sent = retryUntilAccepted(() => protocol.settle(claim, body), late)
      .catch((error: unknown) =>
        logger.error('the usage of a model call could not be stored', errorFields(error)),
      )
      .finally(() => open.delete(sent));
    open.add(sent);
  };
  const lost = new Promise<void>((resolve) => {
    if (isLost.aborted) resolve();
    else isLost.addEventListener('abort', () => resolve(), { once: true });
  });
  const settled = async () => {
    if (open.size > 0) await Promise.race([Promise.all(open), lost]);
  };
  const ask = async (body: ReserveSpendBody): Promise<ReservedSpendView> => {
    for (;;) {
      const answer = await retryUntilAccepted(() => protocol.reserve(claim, body), ended);
      if (answer.outcome !== 'waits') return answer;
      await delay(WAIT_MS * (1 + Math.random()), undefined, { signal: ended });
    }
  };

  return {
    reserve: async (requested, { provider, server }) => {
      await settled();
      const id = randomUUID();
      const model = requested?.model ?? null;
      const settleUnsent = (type: string) => {
        const failure = masked({ provider, model, type });
        send({ id, usage: null, call: { server, durationMs: 0, failure } });
      };
      const cents = mostCents(dollars, requested);
      const answer = await ask({ id, cents, ...named(provider, model) }).catch((error: unknown) => {
        if (!(error instanceof Refused)) settleUnsent('unavailable');
        throw new Refusal(503, reasonOf(error));
      });
      if (answer.code === 'unpriced_model') refuse(answer.code, unpriced(requested), settleUnsent);
      refusal = answer.outcome === 'refused' ? answer.message + unlimited(requested) : null;
      if (refusal !== null) refuse(answer.code ?? '', refusal, settleUnsent);
      return {
        settle: (use, { failure, ...seen }) => {
          const call = { ...seen, ...(failure && { failure: masked(failure) }) };
          if (use === null) return send({ id, usage: null, call });
          const { provider, model, inputTokens, outputTokens, costCents } = uses.price(use);
          const names = {
            provider: storableName(mask(provider)),
            model: storableName(mask(model)),
          };
          send({ id, usage: { ...names, inputTokens, outputTokens, costCents }, call });
        },
      };
    },
    refusal: () => refusal,
    settled,
  };
}

function reasonOf(error: unknown): string {
  const isRefused = error instanceof Refused && error.code !== 'stale_ticket';
  return isRefused
    ? `the budget for the call could not be reserved: ${error.message}`
    : 'the run has ended';
}

const ROUNDING = 1e-7;

function mostCents(dollars: Options['dollars'], requested: ModelRequest | null): number | null {
  if (!requested) return 0;
  const { model, body, hasOutput } = requested;
  if (model === null) return null;
  const { input, output } = mostTokens(body, hasOutput);
  const price = (counts: object) =>
    dollars({ model, counts: { ...NO_TOKENS, ...counts }, dollars: null });
  const inputs = [price({ input }), price({ cacheRead: input }), price({ cacheWrite: input })];
  const written = price({ output });
  if (written === null) return null;
  const most = Math.max(...inputs.map((cost) => cost ?? 0)) + written;
  return Math.min(Math.ceil(most * 100 - ROUNDING), MOST_CENTS);
}

const MOST_CENTS = 1_000_000_000_000;

function unlimited(requested: ModelRequest | null): string {
  if (!requested || mostTokens(requested.body, requested.hasOutput).isLimited) return '';
  const tokens = UNLIMITED_OUTPUT.toLocaleString('en');
  return ` (the request sets no output limit, so ${tokens} output tokens are reserved: set a limit such as max_tokens, if the tool has that option)`;
}

function unpriced(requested: ModelRequest | null): string {
  const model = JSON.stringify(requested?.model ?? '');
  return `the model ${model} has no price, so a budget or cap cannot limit it: add it to the runner’s MODEL_PRICES (0 if it is free), or remove the budgets and caps that apply`;
}

/** Anthropic's format of errors, with the fields that OpenAI's clients read. */
const inProvidersForm = (code: string, message: string) => ({
  type: 'error',
  error: { type: 'billing_error', code, message, param: null },
});

import type { ProviderCall, TokenCounts } from '../../agents/agent-adapter';
import { NO_TOKENS, totalInput } from '../../agents/coding-agents/streams/token-counts';
import { mostTokens } from './most-tokens';
import { type AnswerReader, readAnswer } from './read-usage';
import { bytesOfJson, tokensIn } from './sized-text';

export interface ProviderUse {
  provider: string;
  model: string;
  requested: string | null;
  counts: TokenCounts;
}

export interface MeteredCall {
  sent(): void;
  answered(contentType: string): void;
  write(chunk: Buffer): void;
  failed(type: string): void;
  complete(): void;
  end(): void;
}

export interface ModelRequest {
  model: string | null;
  body: Buffer;
  hasOutput: boolean;
}

interface CalledProvider {
  provider: string;
  server: string;
}

export interface ProviderMeter {
  begin(called: CalledProvider, requested: ModelRequest | null): Promise<MeteredCall>;
  hasCalled(provider: string): boolean;
  close(): void;
}

export interface Bookkeeping {
  /**
   * Resolves when the highest cost of a call is reserved. `requested` is null for a call without a
   * model; only reported usage counts for such a call.
   * @throws Refusal 402 if the call does not fit into a budget, or if there is a budget and the
   * model has no price
   */
  reserve(requested: ModelRequest | null, called: CalledProvider): Promise<ReservedCall>;
}

interface ReservedCall {
  settle(use: ProviderUse | null, call: ProviderCall): void;
}

const NO_MODEL = 'unknown';

/**
 * If a response contains no counts, estimates its usage from its bytes and images, so that an early
 * disconnect does not save money. Providers complete a response that is not a stream even if the
 * client has gone, so a disconnect before its end counts as the highest output.
 */
export function createProviderMeter({ reserve }: Bookkeeping): ProviderMeter {
  const called = new Set<string>();
  const open = new Set<() => void>();
  return {
    begin: async ({ provider, server }, requested) => {
      const reserved = await reserve(requested, { provider, server });
      called.add(provider);
      const startedAt = performance.now();
      const call = openCall(requested);
      const end = () => {
        if (!open.delete(end)) return;
        const use = call.use();
        const durationMs = Math.round(performance.now() - startedAt);
        const type = call.failure();
        reserved.settle(use && { provider, ...use }, {
          server,
          durationMs,
          ...(type !== null && { failure: { provider, model: requested?.model ?? null, type } }),
        });
      };
      const complete = () => {
        call.completed();
        end();
      };
      open.add(end);
      return { ...call.events, complete, end };
    },
    hasCalled: (provider) => called.has(provider),
    close: () => {
      for (const end of [...open]) end();
    },
  };
}

function openCall(request: ModelRequest | null) {
  const requested = request?.model ?? null;
  const requestTokens = request && tokensIn(bytesOfJson(request.body));
  let isSent = false;
  let failure: string | null = null;
  let isComplete = false;
  let reader: AnswerReader | null = null;
  let isStream = false;

  const estimate = (): TokenCounts | null => {
    const reported = reader?.read() ?? null;
    if (requestTokens === null || request === null || reported?.isComplete)
      return reported?.counts ?? null;
    const counts = reported?.counts ?? { ...NO_TOKENS, input: requestTokens };
    const seen = Math.max(counts.output, tokensIn(reported?.textBytes ?? 0));
    const output =
      isComplete || isStream ? seen : mostTokens(request.body, request.hasOutput).output;
    return { ...counts, output };
  };

  return {
    events: {
      sent: () => {
        isSent = true;
      },
      answered: (contentType: string) => {
        reader = readAnswer(contentType);
        isStream = !contentType.startsWith('application/json');
      },
      write: (chunk: Buffer) => reader?.write(chunk),
      failed: (type: string) => {
        failure = type;
      },
    },
    completed: () => {
      isComplete = true;
    },
    failure: () => failure ?? (isComplete ? null : 'cancelled'),
    use: (): Omit<ProviderUse, 'provider'> | null => {
      if (reader === null && (failure !== null || !isSent)) return null;
      const counts = estimate();
      if (!counts || totalInput(counts) + counts.output === 0) return null;
      return { model: reader?.read().model ?? requested ?? NO_MODEL, requested, counts };
    },
  };
}

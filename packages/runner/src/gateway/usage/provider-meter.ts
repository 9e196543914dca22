import type { ProviderCall, TokenCounts } from '../../agents/agent-adapter';
import { NO_TOKENS, totalInput } from '../../agents/coding-agents/streams/token-counts';
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
  failed(): void;
  end(): void;
}

export interface ModelRequest {
  model: string | null;
  body: Buffer;
  hasOutput: boolean;
}

export interface ProviderMeter {
  begin(provider: string, requested: ModelRequest | null, server?: string): Promise<MeteredCall>;
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
  reserve(requested: ModelRequest | null): Promise<ReservedCall>;
}

interface ReservedCall {
  settle(use: ProviderUse | null, call?: ProviderCall): void;
}

const NO_MODEL = 'unknown';

/**
 * If a response contains no counts, estimates its usage from its bytes and images, so that an early
 * disconnect does not save money.
 */
export function createProviderMeter({ reserve }: Bookkeeping): ProviderMeter {
  const called = new Set<string>();
  const open = new Set<() => void>();
  return {
    begin: async (provider, requested, server) => {
      const reserved = await reserve(requested);
      called.add(provider);
      const startedAt = performance.now();
      const call = openCall(requested);
      const end = () => {
        if (!open.delete(end)) return;
        const use = call.use();
        const durationMs = Math.round(performance.now() - startedAt);
        reserved.settle(
          use && { provider, ...use },
          server === undefined ? undefined : { server, durationMs },
        );
      };
      open.add(end);
      return { ...call.events, end };
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
  let hasFailed = false;
  let reader: AnswerReader | null = null;

  const estimate = (): TokenCounts | null => {
    const reported = reader?.read() ?? null;
    if (requestTokens === null || reported?.isComplete) return reported?.counts ?? null;
    const counts = reported?.counts ?? { ...NO_TOKENS, input: requestTokens };
    return { ...counts, output: Math.max(counts.output, tokensIn(reported?.textBytes ?? 0)) };
  };

  return {
    events: {
      sent: () => {
        isSent = true;
      },
      answered: (contentType: string) => {
        reader = readAnswer(contentType);
      },
      write: (chunk: Buffer) => reader?.write(chunk),
      failed: () => {
        hasFailed = true;
      },
    },
    use: (): Omit<ProviderUse, 'provider'> | null => {
      if (reader === null && (hasFailed || !isSent)) return null;
      const counts = estimate();
      if (!counts || totalInput(counts) + counts.output === 0) return null;
      return { model: reader?.read().model ?? requested ?? NO_MODEL, requested, counts };
    },
  };
}

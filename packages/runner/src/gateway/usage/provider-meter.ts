import type { ProviderCall, TokenCounts } from '../../agents/agent-adapter';
import { addTokens, NO_TOKENS } from '../../agents/coding-agents/streams/token-counts';
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

interface ModelRequest {
  model: string | null;
  body: Buffer;
}

export interface ProviderMeter {
  /**
   * Starts a call after earlier usage has been recorded. `requested` is null for a call without a
   * model, for which only reported usage counts.
   * @throws Refusal 402 if the budget is spent, or if there is a budget and the model has no price
   */
  begin(provider: string, requested: ModelRequest | null, server?: string): Promise<MeteredCall>;
  hasCalled(provider: string): boolean;
  close(): void;
}

export interface Bookkeeping {
  book(use: ProviderUse, call?: ProviderCall): void;
  /**
   * Resolves when earlier usage is recorded and the budget has room; `requested` is null for a call
   * without a model.
   * @throws Refusal 402
   */
  assertBudget(requested: Pick<ModelRequest, 'model'> | null): Promise<void>;
}

const NO_MODEL = 'unknown';

/**
 * Estimates the usage of a response without counts from its bytes and images, so that an early
 * disconnect does not save money.
 */
export function createProviderMeter({ book, assertBudget }: Bookkeeping): ProviderMeter {
  const called = new Set<string>();
  const open = new Set<ReturnType<typeof openCall>>();
  return {
    begin: async (provider, requested, server) => {
      for (const call of open) call.bookReported();
      await assertBudget(requested);
      called.add(provider);
      const startedAt = performance.now();
      const call = openCall(requested, (use) => {
        const durationMs = Math.round(performance.now() - startedAt);
        book({ provider, ...use }, server === undefined ? undefined : { server, durationMs });
      });
      open.add(call);
      const end = () => {
        if (open.delete(call)) call.finish();
      };
      return { ...call.events, end };
    },
    hasCalled: (provider) => called.has(provider),
    close: () => {
      for (const call of open) call.finish();
      open.clear();
    },
  };
}

function openCall(
  request: ModelRequest | null,
  book: (use: Omit<ProviderUse, 'provider'>) => void,
) {
  const requested = request?.model ?? null;
  const requestTokens = request && tokensIn(bytesOfJson(request.body));
  let isSent = false;
  let hasFailed = false;
  let reader: AnswerReader | null = null;
  let booked = NO_TOKENS;

  const bookUpTo = (model: string, counts: TokenCounts): void => {
    const rest = mapTokens((kind) => Math.max(0, counts[kind] - booked[kind]));
    if (rest.input + rest.output + rest.cacheRead + rest.cacheWrite === 0) return;
    booked = addTokens(booked, rest);
    book({ model, requested, counts: rest });
  };
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
    bookReported: () => {
      const reported = reader?.read();
      if (reported?.counts && reported.model) bookUpTo(reported.model, reported.counts);
    },
    finish: () => {
      if (reader === null && (hasFailed || !isSent)) return;
      const counts = estimate();
      if (counts) bookUpTo(reader?.read().model ?? requested ?? NO_MODEL, counts);
    },
  };
}

const mapTokens = (of: (kind: keyof TokenCounts) => number): TokenCounts => ({
  input: of('input'),
  output: of('output'),
  cacheRead: of('cacheRead'),
  cacheWrite: of('cacheWrite'),
});

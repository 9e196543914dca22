import type { TokenCounts } from '../../../adapters/agents/agent-adapter';
import { addTokens, NO_TOKENS } from '../../../adapters/agents/coding-agents/streams/token-counts';
import { type AnswerReader, readAnswer } from './read-usage';
import { bytesOfJson, tokensIn } from './sized-text';

/** Tokens that a part of an answer took. `model` is `unknown` where neither the answer nor the request names it. */
export interface ProviderUse {
  provider: string;
  model: string;
  /** What the request called the model, whose price holds if the model has none; null if it named none. */
  asked: string | null;
  counts: TokenCounts;
}

/** One call of a provider, as it passes through the gateway. */
export interface MeteredCall {
  /** The whole request went out. */
  sent(): void;
  /** An answer with status 2xx begins. */
  answered(contentType: string): void;
  /** A part of that answer. */
  write(chunk: Buffer): void;
  /** The provider refused the call or could not be reached, so it charges nothing. */
  failed(): void;
  /** No more comes, however the call ended. Idempotent. */
  end(): void;
}

export interface ModelRequest {
  /** Null where the request names none. */
  model: string | null;
  body: Buffer;
}

export interface ProviderMeter {
  /**
   * Starts a call after all earlier usage is booked. `asked` is the model request; null for other calls, of which
   * only the usage reported in the response counts.
   * @throws Refusal 402 when the budget is spent, or when there is one and the model has no price
   */
  begin(provider: string, asked: ModelRequest | null): Promise<MeteredCall>;
  /** Whether the run has called the provider through the gateway. */
  hasCalled(provider: string): boolean;
  /** Ends all calls. */
  close(): void;
}

/** The operator's side of the calls of one run. */
export interface Bookkeeping {
  /** Books what was read; calls are booked in order. */
  book(use: ProviderUse): void;
  /**
   * Resolves when all is booked and the budget has room for a call of `asked`; null is no call of a model.
   * @throws Refusal 402
   */
  assertBudget(asked: Pick<ModelRequest, 'model'> | null): Promise<void>;
}

const NO_MODEL = 'unknown';

/**
 * Counts what the calls of a run took of the operator's providers. An answer that was cut off, or that tells no count, is
 * estimated from the bytes that passed and the images among them, so that leaving early costs no less than reading on.
 */
export function createProviderMeter({ book, assertBudget }: Bookkeeping): ProviderMeter {
  const called = new Set<string>();
  const open = new Set<ReturnType<typeof openCall>>();
  return {
    begin: async (provider, asked) => {
      // A client may ask again before the connection of its last answer has ended.
      for (const call of open) call.bookTold();
      await assertBudget(asked);
      called.add(provider);
      const call = openCall(asked, (use) => book({ provider, ...use }));
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
  const asked = request?.model ?? null;
  const requestTokens = request && tokensIn(bytesOfJson(request.body));
  let isSent = false;
  let hasFailed = false;
  let reader: AnswerReader | null = null;
  let booked = NO_TOKENS;

  const bookUpTo = (model: string, counts: TokenCounts): void => {
    const rest = mapTokens((kind) => Math.max(0, counts[kind] - booked[kind]));
    if (rest.input + rest.output + rest.cacheRead + rest.cacheWrite === 0) return;
    booked = addTokens(booked, rest);
    book({ model, asked, counts: rest });
  };
  const estimate = (): TokenCounts | null => {
    const told = reader?.read() ?? null;
    if (requestTokens === null || told?.isComplete) return told?.counts ?? null;
    const counts = told?.counts ?? { ...NO_TOKENS, input: requestTokens };
    return { ...counts, output: Math.max(counts.output, tokensIn(told?.textBytes ?? 0)) };
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
    bookTold: () => {
      const told = reader?.read();
      if (told?.counts && told.model) bookUpTo(told.model, told.counts);
    },
    finish: () => {
      if (reader === null && (hasFailed || !isSent)) return;
      const counts = estimate();
      if (counts) bookUpTo(reader?.read().model ?? asked ?? NO_MODEL, counts);
    },
  };
}

const mapTokens = (of: (kind: keyof TokenCounts) => number): TokenCounts => ({
  input: of('input'),
  output: of('output'),
  cacheRead: of('cacheRead'),
  cacheWrite: of('cacheWrite'),
});

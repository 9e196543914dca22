import type { TokenCounts } from '../../../adapters/agents/agent-adapter';
import { addTokens, NO_TOKENS } from '../../../adapters/agents/coding-agents/streams/token-counts';
import { type AnswerReader, readAnswer } from './read-usage';
import { bytesOfJson, tokensIn } from './sized-text';

/** `model` is `unknown` if neither answer nor request names it. */
export interface ProviderUse {
  provider: string;
  model: string;
  /** Requested model, whose price applies if the answer's has none; null if unnamed. */
  asked: string | null;
  counts: TokenCounts;
}

export interface MeteredCall {
  sent(): void;
  answered(contentType: string): void;
  write(chunk: Buffer): void;
  /** The call failed without a charge. */
  failed(): void;
  /** Idempotent. */
  end(): void;
}

export interface ModelRequest {
  model: string | null;
  body: Buffer;
}

export interface ProviderMeter {
  /**
   * Starts a call after earlier use is booked. `asked` is null for calls of no model, which only
   * count reported use. @throws Refusal 402 when the budget is spent, or exists and the model has
   * no price
   */
  begin(provider: string, asked: ModelRequest | null): Promise<MeteredCall>;
  hasCalled(provider: string): boolean;
  close(): void;
}

export interface Bookkeeping {
  /** Called in order of the calls. */
  book(use: ProviderUse): void;
  /**
   * Resolves when earlier use is booked and the budget has room; null is not a model call. @throws
   * Refusal 402
   */
  assertBudget(asked: Pick<ModelRequest, 'model'> | null): Promise<void>;
}

const NO_MODEL = 'unknown';

/**
 * Estimates an answer without counts from its bytes and images, so that disconnecting early does
 * not save money.
 */
export function createProviderMeter({ book, assertBudget }: Bookkeeping): ProviderMeter {
  const called = new Set<string>();
  const open = new Set<ReturnType<typeof openCall>>();
  return {
    begin: async (provider, asked) => {
      // A client may send its next call before the previous connection has ended.
      for (const call of open) call.bookReported();
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
    bookReported: () => {
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

import type { TokenCounts } from '../../../adapters/agents/agent-adapter';
import { addTokens, NO_TOKENS } from '../../../adapters/agents/coding-agents/streams/token-counts';
import { type AnswerReader, readAnswer } from './read-usage';

/** Tokens that a part of an answer took. `model` is `unknown` where neither the answer nor the request names it. */
export interface ProviderUse {
  provider: string;
  model: string;
  counts: TokenCounts;
}

/** One call of a provider, as it passes through the gateway. */
export interface MeteredCall {
  /** A part of the request's body goes out. */
  asked(chunk: Buffer): void;
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

export interface ProviderMeter {
  /**
   * Begins a call once everything that was read before is booked. `isModelCall` false: only what the answer itself tells is counted.
   * @throws Refusal 402 when the budget is spent
   */
  begin(provider: string, isModelCall: boolean): Promise<MeteredCall>;
  /** Whether the run has called the provider through the gateway. */
  hasCalled(provider: string): boolean;
  /** Ends all calls. */
  close(): void;
}

/** The operator's side of the calls of one run. */
export interface Bookkeeping {
  /** Books what was read; calls are booked in order. */
  book(use: ProviderUse): void;
  /** Resolves when all is booked and the budget has room. @throws Refusal 402 when it is spent */
  assertBudget(): Promise<void>;
}

/** The usual length of a token of English text or code; the estimate is for answers that tell no count. */
const BYTES_PER_TOKEN = 4;
/** A longer request is not searched for the name of its model. */
const MAX_REQUEST_BYTES = 1024 * 1024;
const NO_MODEL = 'unknown';

/**
 * Counts what the calls of a run took of the operator's providers. An answer that was cut off, or that tells no count, is
 * estimated from the bytes that passed, so that leaving early costs no less than reading on.
 */
export function createProviderMeter({ book, assertBudget }: Bookkeeping): ProviderMeter {
  const called = new Set<string>();
  const open = new Set<ReturnType<typeof openCall>>();
  return {
    begin: async (provider, isModelCall) => {
      // A client may ask again before the connection of its last answer has ended.
      for (const call of open) call.bookTold();
      await assertBudget();
      called.add(provider);
      const call = openCall(isModelCall, (model, counts) => book({ provider, model, counts }));
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

function openCall(isModelCall: boolean, book: (model: string, counts: TokenCounts) => void) {
  let request: Buffer[] = [];
  let requestBytes = 0;
  let isSent = false;
  let hasFailed = false;
  let reader: AnswerReader | null = null;
  let booked = NO_TOKENS;

  const bookUpTo = (model: string, counts: TokenCounts): void => {
    const rest = mapTokens((kind) => Math.max(0, counts[kind] - booked[kind]));
    if (rest.input + rest.output + rest.cacheRead + rest.cacheWrite === 0) return;
    booked = addTokens(booked, rest);
    book(model, rest);
  };
  const keep = (chunk: Buffer): void => {
    requestBytes += chunk.length;
    if (requestBytes <= MAX_REQUEST_BYTES) request.push(chunk);
    else request = [];
  };
  const estimate = (): TokenCounts | null => {
    const told = reader?.read() ?? null;
    if (!isModelCall || told?.isComplete) return told?.counts ?? null;
    const counts = told?.counts ?? { ...NO_TOKENS, input: tokensIn(requestBytes) };
    return { ...counts, output: Math.max(counts.output, tokensIn(told?.textBytes ?? 0)) };
  };

  return {
    events: {
      asked: keep,
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
      if (counts) bookUpTo(reader?.read().model ?? modelOf(request), counts);
    },
  };
}

const tokensIn = (bytes: number) => Math.ceil(bytes / BYTES_PER_TOKEN);

const mapTokens = (of: (kind: keyof TokenCounts) => number): TokenCounts => ({
  input: of('input'),
  output: of('output'),
  cacheRead: of('cacheRead'),
  cacheWrite: of('cacheWrite'),
});

function modelOf(request: Buffer[]): string {
  try {
    const { model } = JSON.parse(Buffer.concat(request).toString('utf8')) as { model?: unknown };
    return typeof model === 'string' && model !== '' ? model.slice(0, 200) : NO_MODEL;
  } catch {
    return NO_MODEL;
  }
}

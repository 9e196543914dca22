import { z } from 'zod';
import type { TokenCounts } from '../../agents/agent-adapter';
import { createLineSplitter } from '../../agents/output/split-lines';
import { bytesOfText, sizeText } from './sized-text';

interface ResponseUsage {
  model: string | null;
  counts: TokenCounts | null;
  isComplete: boolean;
  /**
   * UTF-8 bytes that the model has written; for an image, at most the equivalent of
   * TOKENS_PER_IMAGE. Counts all bytes of a response in an unknown format.
   */
  textBytes: number;
}

export interface AnswerReader {
  write(chunk: Buffer): void;
  read(): ResponseUsage;
}

const MAX_BYTES = 8 * 1024 * 1024;

const count = z.int().min(0).max(Number.MAX_SAFE_INTEGER).optional().catch(undefined);
const details = (part: string) =>
  z
    .object({ [part]: count })
    .optional()
    .catch(undefined);
const usageFields = z.object({
  input_tokens: count,
  output_tokens: count,
  cache_read_input_tokens: count,
  cache_creation_input_tokens: count,
  prompt_tokens: count,
  completion_tokens: count,
  input_tokens_details: details('cached_tokens'),
  prompt_tokens_details: details('cached_tokens'),
});
const geminiFields = z.object({
  promptTokenCount: count,
  candidatesTokenCount: count,
  thoughtsTokenCount: count,
  cachedContentTokenCount: count,
});
const model = z.string().min(1).max(200).optional().catch(undefined);
const message = z.object({
  model,
  usage: usageFields.optional().catch(undefined),
});
/**
 * Anthropic's stream contains the message in its first event, the stream of the Responses API in
 * its last.
 */
const answer = message.extend({
  message: message.optional().catch(undefined),
  response: message.optional().catch(undefined),
  modelVersion: model,
  usageMetadata: geminiFields.optional().catch(undefined),
});

type Usage = z.output<typeof usageFields>;

/**
 * Reads responses of Anthropic's Messages, OpenAI's Responses and Chat Completions, and Gemini's
 * generateContent, as a whole or as events. Later counts replace earlier ones.
 */
export function readAnswer(contentType: string): AnswerReader {
  if (contentType.startsWith('text/event-stream')) return readStream();
  if (contentType.startsWith('application/json')) return readWhole();
  const size = sizeText();
  return {
    write: size.write,
    read: () => ({ model: null, counts: null, isComplete: false, textBytes: size.bytes() }),
  };
}

function readStream(): AnswerReader {
  const reading = createUsageReading();
  let textBytes = 0;
  const lines = createLineSplitter((line) => {
    if (line.subarray(0, 5).toString('latin1') !== 'data:') return;
    const text = line.toString('utf8', 5);
    if (!/"(?:usage|usageMetadata|model|delta|candidates)"/.test(text)) return;
    const event = readJson(text);
    textBytes += textBytesOf(event);
    reading.add(event);
  }, MAX_BYTES);
  return { write: (chunk) => lines.write(chunk), read: () => ({ ...reading.read(), textBytes }) };
}

function readWhole(): AnswerReader {
  let chunks: Buffer[] = [];
  let bytes = 0;
  const size = sizeText();
  return {
    write: (chunk) => {
      bytes += chunk.length;
      size.write(chunk);
      if (bytes <= MAX_BYTES) chunks.push(chunk);
      else chunks = [];
    },
    read: () => {
      const reading = createUsageReading();
      const whole = readJson(Buffer.concat(chunks).toString('utf8'));
      for (const part of Array.isArray(whole) ? whole : [whole]) reading.add(part);
      return { ...reading.read(), textBytes: size.bytes() };
    },
  };
}

function createUsageReading() {
  let named: string | null = null;
  let usage: Usage | null = null;
  let isComplete = false;
  return {
    add: (event: unknown): void => {
      const parsed = answer.safeParse(event);
      if (!parsed.success) return;
      const { message: begun, response, modelVersion, usageMetadata, ...whole } = parsed.data;
      named = modelVersion ?? named;
      for (const part of [begun, response, whole]) {
        named = part?.model ?? named;
        if (!part?.usage) continue;
        usage = { ...usage, ...withoutGaps(part.usage) };
        if (part !== begun) isComplete = true;
      }
      if (!usageMetadata) return;
      usage = { ...usage, ...withoutGaps(fromGemini(usageMetadata)) };
      isComplete = true;
    },
    read: () => {
      const counts = usage && countsOf(usage);
      return { model: named, counts, isComplete: isComplete && counts !== null };
    },
  };
}

function fromGemini(metadata: z.output<typeof geminiFields>): Usage {
  const { promptTokenCount, candidatesTokenCount, thoughtsTokenCount } = metadata;
  const hasOutput = candidatesTokenCount !== undefined || thoughtsTokenCount !== undefined;
  return {
    prompt_tokens: promptTokenCount,
    completion_tokens: hasOutput
      ? (candidatesTokenCount ?? 0) + (thoughtsTokenCount ?? 0)
      : undefined,
    prompt_tokens_details: { cached_tokens: metadata.cachedContentTokenCount },
  };
}

/** OpenAI and Gemini include cached tokens in the input; Anthropic does not. */
function countsOf(usage: Usage): TokenCounts | null {
  const output = usage.output_tokens ?? usage.completion_tokens;
  const input = usage.input_tokens ?? usage.prompt_tokens;
  if (input === undefined && output === undefined) return null;
  const { input_tokens_details: ofResponses, prompt_tokens_details: ofChat } = usage;
  const cached = ofResponses?.cached_tokens ?? ofChat?.cached_tokens ?? 0;
  return {
    input: Math.max(0, (input ?? 0) - cached),
    output: output ?? 0,
    cacheRead: (usage.cache_read_input_tokens ?? 0) + cached,
    cacheWrite: usage.cache_creation_input_tokens ?? 0,
  };
}

function withoutGaps(usage: Usage): Usage {
  const present = Object.entries(usage).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present);
}

const WRITTEN = ['delta', 'choices', 'candidates'];
const FRAME = new Set([
  'type',
  'role',
  'id',
  'index',
  'finish_reason',
  'finishReason',
  'signature',
]);
const MAX_DEPTH = 8;

function textBytesOf(event: unknown): number {
  if (typeof event !== 'object' || event === null) return 0;
  return WRITTEN.reduce(
    (sum, key) => sum + bytesIn(key, (event as Record<string, unknown>)[key], MAX_DEPTH),
    0,
  );
}

function bytesIn(name: string, value: unknown, depth: number): number {
  if (typeof value === 'string') return bytesOfText(name, value);
  if (typeof value !== 'object' || value === null || depth === 0) return 0;
  const parts = Object.entries(value).filter(([key]) => !FRAME.has(key));
  return parts.reduce((sum, [key, part]) => sum + bytesIn(key, part, depth - 1), 0);
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

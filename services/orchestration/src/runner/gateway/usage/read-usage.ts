import { z } from 'zod';
import type { TokenCounts } from '../../../adapters/agents/agent-adapter';
import { createLineSplitter } from '../../../adapters/agents/output/split-lines';

/** What one answer of a provider says that it took. */
export interface AnswerUse {
  model: string;
  counts: TokenCounts;
}

export interface AnswerReader {
  write(chunk: Buffer): void;
  /** As far as it was said by now; null when nothing was. */
  use(): AnswerUse | null;
}

/** A whole answer, or one event of a stream; what is longer is not read. */
const MAX_BYTES = 8 * 1024 * 1024;
const NO_MODEL = 'unknown';

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
const message = z.object({
  model: z.string().min(1).max(200).optional().catch(undefined),
  usage: usageFields.optional().catch(undefined),
});
/** Anthropic's stream has the message in its first event, the Responses API the response in its last. */
const answer = message.extend({
  message: message.optional().catch(undefined),
  response: message.optional().catch(undefined),
});

type Usage = z.output<typeof usageFields>;

/**
 * Reads what an answer says of its use, in the forms of Anthropic's Messages, and of OpenAI's Responses and Chat
 * Completions, whole or as a stream of events. In a stream later counts take the place of earlier ones.
 */
export function readAnswer(contentType: string): AnswerReader | null {
  let model: string | null = null;
  let usage: Usage | null = null;

  const hear = (text: string): void => {
    if (!text.includes('"usage"') && !text.includes('"model"')) return;
    const parsed = answer.safeParse(readJson(text));
    if (!parsed.success) return;
    for (const part of [parsed.data, parsed.data.message, parsed.data.response]) {
      model = part?.model ?? model;
      if (part?.usage) usage = { ...usage, ...withoutGaps(part.usage) };
    }
  };
  const use = (): AnswerUse | null => {
    const counts = usage && countsOf(usage);
    return counts && { model: model ?? NO_MODEL, counts };
  };

  if (contentType.startsWith('text/event-stream')) {
    const lines = createLineSplitter((line) => {
      const text = line.toString('utf8');
      if (text.startsWith('data:')) hear(text.slice('data:'.length));
    }, MAX_BYTES);
    return { write: (chunk) => lines.write(chunk), use };
  }
  if (!contentType.startsWith('application/json')) return null;
  let chunks: Buffer[] = [];
  let bytes = 0;
  return {
    write: (chunk) => {
      bytes += chunk.length;
      if (bytes <= MAX_BYTES) chunks.push(chunk);
      else chunks = [];
    },
    use: () => {
      hear(Buffer.concat(chunks).toString('utf8'));
      return use();
    },
  };
}

/** OpenAI counts what came from its cache as input too, Anthropic beside it. */
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
  const said = Object.entries(usage).filter(([, value]) => value !== undefined);
  return Object.fromEntries(said);
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

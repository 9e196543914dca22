import { z } from 'zod';
import { bytesOfJson } from './sized-text';

export interface TokenBounds {
  input: number;
  output: number;
  isLimited: boolean;
}

const ADDED_TOKENS = 1_000;
export const UNLIMITED_OUTPUT = 128_000;

const count = z.int().min(1).max(Number.MAX_SAFE_INTEGER).optional().catch(undefined);
const limits = z.object({
  max_tokens: count,
  max_completion_tokens: count,
  max_output_tokens: count,
  n: count,
  best_of: count,
  prompt: z.unknown().optional(),
  generationConfig: z
    .object({ maxOutputTokens: count, candidateCount: count })
    .optional()
    .catch(undefined),
});

/**
 * Returns the most tokens that a model request can use: one per byte of the input, plus the output
 * limit, which includes thinking. Without a limit, assumes the output limit of the largest model.
 */
export function mostTokens(body: Buffer, hasOutput: boolean): TokenBounds {
  const input = bytesOfJson(body) + ADDED_TOKENS;
  return { input, ...(hasOutput ? mostOutput(body) : { output: 0, isLimited: true }) };
}

function mostOutput(body: Buffer): Omit<TokenBounds, 'input'> {
  const parsed = limits.safeParse(readJson(body));
  if (!parsed.success) return { output: UNLIMITED_OUTPUT, isLimited: false };
  const { max_tokens, max_completion_tokens, max_output_tokens, n, best_of } = parsed.data;
  const { prompt, generationConfig: gemini } = parsed.data;
  const stated = [max_tokens, max_completion_tokens, max_output_tokens, gemini?.maxOutputTokens];
  const named = stated.filter((limit) => limit !== undefined);
  const isLimited = named.length > 0;
  const each = isLimited ? Math.max(...named) : UNLIMITED_OUTPUT;
  const answers = Math.max(n ?? 1, best_of ?? 1, gemini?.candidateCount ?? 1);
  const prompts = Array.isArray(prompt) ? Math.max(1, prompt.length) : 1;
  const output = Math.min(each * answers * prompts, Number.MAX_SAFE_INTEGER);
  return { output, isLimited };
}

function readJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return null;
  }
}

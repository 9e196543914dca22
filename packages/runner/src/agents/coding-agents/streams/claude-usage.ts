import { z } from 'zod';
import type { AgentSession, CountedUse, TokenCounts } from '../../agent-adapter';
import type { ModelUse } from '../tool-event';
import { optionalNumber, optionalText, text, tokenCounts } from './read-json';
import { addTokens, NO_TOKENS, tokensAbove, tokensSince, totalInput } from './token-counts';

const usageOfModels = z.record(z.string(), z.looseObject({ costUSD: optionalNumber }));

export const tokenUsage = z
  .looseObject({
    input_tokens: z.unknown(),
    output_tokens: z.unknown(),
    cache_read_input_tokens: z.unknown(),
    cache_creation_input_tokens: z.unknown(),
  })
  .partial()
  .transform((usage) =>
    tokenCounts.parse({
      input: usage.input_tokens,
      output: usage.output_tokens,
      cacheRead: usage.cache_read_input_tokens,
      cacheWrite: usage.cache_creation_input_tokens,
    }),
  );

const resultUsage = z.object({
  modelUsage: usageOfModels.catch({}),
  model_usage_since_last_result: usageOfModels.optional().catch(undefined),
  total_cost_usd: optionalNumber,
  usage: tokenUsage.optional().catch(undefined),
});

const opening = z.object({ model: text, claude_code_version: optionalText });

/** First release whose results count a resumed conversation from its beginning. */
const RESTORES_TOTALS = [2, 1, 277];
const LEAST_DOLLARS = 1e-6;
const MAX_MODELS = 50;

const plainModel = (model: string) => model.replace(/\[[^\]]*\]$/, '');

type Uses = Map<string, ModelUse>;

function putUse(uses: Uses, use: ModelUse): void {
  const known = uses.get(use.model);
  const dollars =
    known?.dollars == null || use.dollars === null
      ? (known?.dollars ?? use.dollars)
      : known.dollars + use.dollars;
  const counts = known ? addTokens(known.counts, use.counts) : use.counts;
  uses.set(use.model, { model: use.model, counts, dollars });
}

function usesOf(models: z.infer<typeof usageOfModels>): Uses {
  const uses: Uses = new Map();
  for (const [model, use] of Object.entries(models)) {
    putUse(uses, {
      model: plainModel(model),
      counts: tokenCounts.parse({
        input: use.inputTokens,
        output: use.outputTokens,
        cacheRead: use.cacheReadInputTokens,
        cacheWrite: use.cacheCreationInputTokens,
      }),
      dollars: use.costUSD ?? null,
    });
  }
  return uses;
}

const tokensOf = (uses: Iterable<ModelUse>): TokenCounts =>
  [...uses].reduce((sum, { counts }) => addTokens(sum, counts), NO_TOKENS);
const totalTokens = (counts: TokenCounts) => totalInput(counts) + counts.output;

function missing(total: number, models: Iterable<{ dollars: number | null }>): number {
  const assigned = [...models].reduce((sum, { dollars }) => sum + (dollars ?? 0), 0);
  return Math.max(0, total - assigned);
}

function isRelease(version: string | undefined, first: readonly number[]): boolean {
  const parts = /^(\d+)\.(\d+)\.(\d+)/.exec(version ?? '');
  if (!parts) return true;
  for (const [at, least] of first.entries()) {
    const part = Number(parts[at + 1]);
    if (part !== least) return part > least;
  }
  return true;
}

export interface ClaudeUsage {
  open(line: Record<string, unknown>): void;
  read(line: Record<string, unknown>): { uses: ModelUse[]; counted: CountedUse } | null;
}

/**
 * Reads the usage from Claude Code's results. Since 2.1.277, the totals of a resumed conversation
 * include its earlier runs. Newer releases also report the usage since the process's previous
 * result. Without this value, subtracts the totals that earlier runs stored with the session,
 * unless the reported totals are lower and therefore began at zero.
 */
export function createClaudeUsage(session: AgentSession | null): ClaudeUsage {
  let before = session?.counted;
  let model = 'default';
  const own: Uses = new Map();

  const since = (totals: Uses): Uses => {
    const earlier = new Map(before?.models?.map((count) => [count.model, count]));
    const uses: Uses = new Map();
    for (const use of totals.values()) {
      const { dollars, ...counts } = earlier.get(use.model) ?? { ...NO_TOKENS, dollars: 0 };
      uses.set(use.model, {
        model: use.model,
        counts: tokensSince(use.counts, counts),
        dollars: use.dollars === null ? null : Math.max(0, use.dollars - (dollars ?? 0)),
      });
    }
    return uses;
  };

  return {
    open(line) {
      const { data } = opening.safeParse(line);
      if (data?.model) model = plainModel(data.model);
      if (!isRelease(data?.claude_code_version, RESTORES_TOTALS)) before = undefined;
    },
    read(line) {
      const { data } = resultUsage.safeParse(line);
      if (!data) return null;
      const totals = usesOf(data.modelUsage);
      const total = tokensOf(totals.values());
      if (before && !tokensAbove(total, before)) before = undefined;
      let uses = since(totals);
      const latest = data.model_usage_since_last_result;
      if (latest) {
        for (const use of usesOf(latest).values()) putUse(own, use);
        uses = new Map(own);
      }
      if (totals.size === 0 && data.usage && totalTokens(data.usage) > 0) {
        putUse(uses, { model, counts: data.usage, dollars: null });
      }
      const dollars = data.total_cost_usd ?? 0;
      const earlier = before ? missing(before.dollars ?? 0, before.models ?? []) : 0;
      const more = missing(dollars, totals.values()) - earlier;
      if (more > LEAST_DOLLARS) {
        const [first = model] = uses.keys();
        const of = uses.has(model) ? model : first;
        putUse(uses, { model: of, counts: NO_TOKENS, dollars: more });
      }
      if (uses.size === 0) return null;
      const models = [...totals.values()].slice(0, MAX_MODELS);
      const counted = models.map(({ model: name, counts, dollars: cost }) => ({
        model: name,
        ...counts,
        dollars: cost ?? 0,
      }));
      return { uses: [...uses.values()], counted: { ...total, dollars, models: counted } };
    },
  };
}

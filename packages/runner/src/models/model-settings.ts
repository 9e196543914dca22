import { commaSeparated } from '@switchyard/server/environment';
import type { AdapterModel } from '@switchyard/types';
import { z } from 'zod';
import type { PriceTable } from './prices';
import { distinctModels, isModelId } from './read-models';

function readEntry(entry: string): AdapterModel {
  const at = entry.indexOf('=');
  if (at < 0) return { id: entry, label: entry };
  const id = entry.slice(0, at).trim();
  return { id, label: entry.slice(at + 1).trim() || id };
}

const modelList = commaSeparated
  .transform((entries) => distinctModels(entries.map(readEntry)))
  .refine(
    (models) => models.every((model) => isModelId(model.id)),
    'must be a list of model ids, each as id or id=Label',
  );

const command = z.string().min(1).max(4_096);

const price = z.strictObject({
  input: z.number().min(0).max(100_000),
  output: z.number().min(0).max(100_000),
  cacheRead: z.number().min(0).max(100_000).default(0),
  cacheWrite: z.number().min(0).max(100_000).default(0),
});

export const modelPrices = z
  .string()
  .transform((text, context) => {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      context.addIssue({ code: 'custom', message: 'must be a JSON object' });
      return z.NEVER;
    }
  })
  .pipe(z.record(z.string().min(1).max(200), price));

export const modelEnvironment = {
  CLAUDE_CODE_COMMAND: command.default('claude').describe('program of Claude Code agents'),
  CLAUDE_CODE_MODELS: modelList
    .prefault('sonnet=Sonnet (newest),opus=Opus (newest),haiku=Haiku (newest)')
    .describe('models to choose from, `id` or `id=Label`, separated by commas'),
  CODEX_COMMAND: command.default('codex').describe('program of Codex agents'),
  CODEX_MODELS: modelList
    .prefault('gpt-6-sol=GPT-6-Sol,gpt-6-luna=GPT-6-Luna,gpt-5.5=GPT-5.5')
    .describe('models to choose from, in addition to those that the program lists'),
  OPENCODE_COMMAND: command.default('opencode').describe('program of OpenCode agents'),
  MODEL_PRICES: modelPrices
    .prefault('{}')
    .describe('prices by model, as JSON; they take precedence over the costs that a tool reports'),
};

const schema = z.object(modelEnvironment);

export interface ModelSettings {
  claudeCode: { configured: AdapterModel[]; command: string };
  codex: { configured: AdapterModel[]; command: string };
  openCode: { command: string };
  prices: PriceTable;
}

export function modelSettings(env: z.output<typeof schema>): ModelSettings {
  return {
    claudeCode: { configured: env.CLAUDE_CODE_MODELS, command: env.CLAUDE_CODE_COMMAND },
    codex: { configured: env.CODEX_MODELS, command: env.CODEX_COMMAND },
    openCode: { command: env.OPENCODE_COMMAND },
    prices: env.MODEL_PRICES,
  };
}

import type { AdapterModel } from '@switchyard/types';
import { z } from 'zod';
import type { PriceTable } from './prices';

const SUGGESTED_CLAUDE_MODELS = [
  { id: 'sonnet', label: 'Sonnet (newest)' },
  { id: 'opus', label: 'Opus (newest)' },
  { id: 'haiku', label: 'Haiku (newest)' },
];
const SUGGESTED_CODEX_MODELS = [
  { id: 'gpt-6-sol', label: 'GPT-6-Sol' },
  { id: 'gpt-6-luna', label: 'GPT-6-Luna' },
  { id: 'gpt-5.5', label: 'GPT-5.5' },
];

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
  CODEX_COMMAND: command.default('codex').describe('program of Codex agents'),
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
    claudeCode: { configured: SUGGESTED_CLAUDE_MODELS, command: env.CLAUDE_CODE_COMMAND },
    codex: { configured: SUGGESTED_CODEX_MODELS, command: env.CODEX_COMMAND },
    openCode: { command: env.OPENCODE_COMMAND },
    prices: env.MODEL_PRICES,
  };
}

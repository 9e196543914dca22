import { commaSeparated } from '@switchyard/server';
import type { AdapterModel } from '@switchyard/types';
import { z } from 'zod';
import { distinctModels, isModelId } from './read-models';

/** `id` or `id=Label`. */
function readEntry(entry: string): AdapterModel {
  const at = entry.indexOf('=');
  if (at < 0) return { id: entry, label: entry };
  const id = entry.slice(0, at).trim();
  return { id, label: entry.slice(at + 1).trim() || id };
}

const modelList = commaSeparated
  .transform((entries) => distinctModels(entries.map(readEntry)))
  .refine((models) => models.every((model) => isModelId(model.id)), 'must list id or id=Label');

const command = z.string().min(1).max(4_096);
const words = z.string().transform((line) => line.split(' ').filter((word) => word !== ''));

/** What the operator sets about the tools behind the model adapters. */
export const modelEnvironment = {
  /** The names that always stand for the newest model of their line. */
  MODEL_A_MODELS: modelList.prefault(
    'sonnet=Sonnet (newest),opus=Opus (newest),haiku=Haiku (newest)',
  ),
  MODEL_B_MODELS: modelList.prefault('gpt-5-codex=GPT-5 Codex,gpt-5=GPT-5'),
  MODEL_B_COMMAND: command.default('codex'),
  /** Arguments with which the command prints its catalogue; its command line has no stable one. */
  MODEL_B_DISCOVERY: words.prefault('debug models'),
  MODEL_C_COMMAND: command.default('opencode'),
  MODEL_C_DISCOVERY: words.prefault('models'),
};

const schema = z.object(modelEnvironment);

export interface ModelSettings {
  a: { configured: AdapterModel[] };
  b: { configured: AdapterModel[]; command: string; discovery: string[] };
  c: { command: string; discovery: string[] };
}

export function modelSettings(env: z.output<typeof schema>): ModelSettings {
  return {
    a: { configured: env.MODEL_A_MODELS },
    b: {
      configured: env.MODEL_B_MODELS,
      command: env.MODEL_B_COMMAND,
      discovery: env.MODEL_B_DISCOVERY,
    },
    c: { command: env.MODEL_C_COMMAND, discovery: env.MODEL_C_DISCOVERY },
  };
}

import type { AdapterModel } from '@switchyard/types';
import { z } from 'zod';

const MAX_MODELS = 1_000;
const MAX_LENGTH = 200;

const MODEL_ID = /^[A-Za-z0-9][A-Za-z0-9._:/@+-]*$/;
const PROVIDER_MODEL = /^[A-Za-z0-9][A-Za-z0-9._-]*\/[A-Za-z0-9][A-Za-z0-9._:/@+-]*$/;

export function isModelId(text: string): boolean {
  return text.length <= MAX_LENGTH && MODEL_ID.test(text);
}

export function distinctModels(models: Iterable<AdapterModel>): AdapterModel[] {
  const byId = new Map<string, AdapterModel>();
  for (const model of models) {
    if (byId.size === MAX_MODELS) break;
    if (!byId.has(model.id)) byId.set(model.id, model);
  }
  return [...byId.values()];
}

function* linesOf(text: string): Generator<string> {
  for (let from = 0; from < text.length; ) {
    const newline = text.indexOf('\n', from);
    const end = newline < 0 ? text.length : newline;
    yield text.slice(from, end);
    from = end + 1;
  }
}

function* modelsInLines(output: string, pattern: RegExp): Generator<AdapterModel> {
  for (const line of linesOf(output)) {
    const id = line.length <= 2 * MAX_LENGTH ? line.trim() : '';
    if (id.length <= MAX_LENGTH && pattern.test(id)) yield { id, label: id };
  }
}

export function readProviderModels(output: string): AdapterModel[] {
  return distinctModels(modelsInLines(output, PROVIDER_MODEL));
}

const catalogue = z.object({ models: z.array(z.unknown()) });
const entry = z.object({
  slug: z.string().refine(isModelId),
  display_name: z.string().min(1).max(MAX_LENGTH).optional().catch(undefined),
  visibility: z.string().optional().catch(undefined),
});

function* modelsInCatalogue(models: unknown[]): Generator<AdapterModel> {
  for (const model of models) {
    const { data } = entry.safeParse(model);
    if (!data || (data.visibility ?? 'list') !== 'list') continue;
    yield { id: data.slug, label: data.display_name ?? data.slug };
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function readModelCatalog(output: string): AdapterModel[] {
  if (!output.trimStart().startsWith('{')) return distinctModels(modelsInLines(output, MODEL_ID));
  const { data } = catalogue.safeParse(parseJson(output));
  return distinctModels(modelsInCatalogue(data?.models.slice(0, 2 * MAX_MODELS) ?? []));
}

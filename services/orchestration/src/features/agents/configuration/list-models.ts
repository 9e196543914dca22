import { notFound } from '@switchyard/server';
import type { AdapterModel } from '@switchyard/types';
import type { Call } from '../../../kernel/call';

export async function listModels({ context }: Call, adapterType: string): Promise<AdapterModel[]> {
  const models = await context.models.list(adapterType);
  if (models) return models;
  if (!context.adapters.get(adapterType)) throw notFound('adapter type');
  return [];
}

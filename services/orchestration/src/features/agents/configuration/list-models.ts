import { notFound } from '@switchyard/server';
import type { AdapterModel } from '@switchyard/types';
import type { Call } from '../../../call';

/**
 * Empty for a type without models (spec, "Adapter model listing rules"). @throws ApiError 404 for
 * an unknown type
 */
export async function listModels({ context }: Call, adapterType: string): Promise<AdapterModel[]> {
  const models = await context.models.list(adapterType);
  if (models) return models;
  if (!context.adapters.get(adapterType)) throw notFound('adapter type');
  return [];
}

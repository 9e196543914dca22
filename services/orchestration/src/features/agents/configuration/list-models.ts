import { notFound } from '@switchyard/server';
import type { AdapterModel } from '@switchyard/types';
import type { Call } from '../../../call';

/**
 * The models that an adapter type offers; none for a type that drives no model itself (spec, "Adapter model listing
 * rules").
 * @throws ApiError 404 for a type that does not exist
 */
export async function listModels({ context }: Call, adapterType: string): Promise<AdapterModel[]> {
  const models = await context.models.list(adapterType);
  if (models) return models;
  if (!context.adapters.get(adapterType)) throw notFound('adapter type');
  return [];
}

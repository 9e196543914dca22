import { notFound } from '@switchyard/server';
import type { AdapterModel } from '@switchyard/types';
import type { Context } from '../../../context';

/**
 * The models that an adapter type offers; none for a type that drives no model itself (spec, "Adapter
 * model listing rules").
 * @throws ApiError 404 for a type that does not exist
 */
export async function listModels(
  effects: Pick<Context, 'adapters' | 'models'>,
  adapterType: string,
): Promise<AdapterModel[]> {
  const models = await effects.models.list(adapterType);
  if (models) return models;
  if (!effects.adapters.get(adapterType)) throw notFound('adapter type');
  return [];
}

import type { ModelSettings } from '../../models/model-settings';
import { BUILT_IN_PRICES, dollarsOf, findPrice } from '../../models/prices';
import type { ModelUse } from './tool-event';

export function pricer({ prices }: Pick<ModelSettings, 'prices'>) {
  return ({ model, counts, dollars }: ModelUse): number | null => {
    const own = findPrice(prices, model);
    if (own) return dollarsOf(own, counts);
    if (dollars !== null) return dollars;
    const listed = findPrice(BUILT_IN_PRICES, model);
    return listed && dollarsOf(listed, counts);
  };
}

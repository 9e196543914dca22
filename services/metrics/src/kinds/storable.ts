import { type Decimal, decimalText, isStorable } from '../decimal';
import { malformed } from '../exchange/failure';

/**
 * The text of `value` for a NUMERIC column.
 * @throws ExchangeFailure `malformed`, which names the column that the value does not fit into
 */
export function storable(target: string, column: string, value: Decimal): string {
  if (!isStorable(value)) throw malformed(target, `${column} is more than can be stored`);
  return decimalText(value);
}

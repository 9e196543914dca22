import { type Decimal, decimalText, isStorable } from '../decimal';
import { malformed } from '../exchange/failure';

export function storable(target: string, column: string, value: Decimal): string {
  if (!isStorable(value))
    throw malformed(target, `${column} exceeds the largest value that can be stored`);
  return decimalText(value);
}

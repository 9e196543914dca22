import { Decimal as PrismaDecimal } from '@prisma/client-runtime-utils';

/** Precise enough for sums and products of NUMERIC(38,18); the library's default is 20 digits. */
export const Decimal = PrismaDecimal.clone({ precision: 60 });
export type Decimal = InstanceType<typeof PrismaDecimal>;
export type Numeric = Decimal | string | number;

export const decimal = (value: Numeric): Decimal => new Decimal(value);

export const SCALE = 18;

export const isStorable = (value: Decimal): boolean =>
  value.toDecimalPlaces(SCALE).abs().lt('1e20');

const PLAIN = /^-?(0|[1-9]\d*)\.\d{1,18}$/;

export function decimalText(value: Numeric): string {
  // Fast path for values of NUMERIC columns: a page may contain 14,000 of them.
  if (typeof value === 'string' && PLAIN.test(value)) return value.replace(/\.?0+$/, '');
  return new Decimal(value).toDecimalPlaces(SCALE).toFixed();
}

export function optionalDecimalText(value: Numeric | null | undefined): string | null {
  return value === null || value === undefined ? null : decimalText(value);
}

/**
 * Returns null unless the value is a finite number, because exchanges also send '', 'NaN' and other
 * texts.
 */
export function readDecimal(value: unknown): Decimal | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const text = String(value).trim();
  if (!/^[+-]?\d{1,40}(\.\d{0,60})?(e[+-]?\d{1,2})?$/i.test(text)) return null;
  const read = new Decimal(text);
  return isStorable(read) ? read : null;
}

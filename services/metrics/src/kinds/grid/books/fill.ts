import type { Decimal } from '../../../decimal';

export interface Fill {
  side: 'buy' | 'sell';
  price: Decimal;
  amount: Decimal;
  fee: Decimal;
  feeAsset: string | null;
  /** Value of one unit of the fee's asset in the quote; null when it has no price. */
  feePrice: Decimal | null;
  /** Of the grid; null for what is bought beside it, such as its start. */
  level: number | null;
}

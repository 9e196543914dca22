import type { Decimal } from '../../../decimal';

export interface Fill {
  side: 'buy' | 'sell';
  price: Decimal;
  amount: Decimal;
  fee: Decimal;
  feeAsset: string | null;
  feePrice: Decimal | null;
  level: number | null;
}

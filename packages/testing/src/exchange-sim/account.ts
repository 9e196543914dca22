export interface SimAccount {
  apiKey: string;
  secret: string;
  password: string;
  balances: Record<string, { free: string; locked: string }>;
  orders: SimAccountOrder[];
  closedOrders: SimAccountOrder[];
  trades: SimAccountTrade[];
  transfers: SimTransfer[];
  positions: SimPosition[];
  margin: string;
  fundingPayments: SimFundingPayment[];
  permissions: { trade: boolean; withdraw: boolean };
  /** The only address that may use the key; null for any. */
  boundTo: string | null;
  /**
   * Largest allowed difference in ms between a signed request's time and the exchange's; null
   * accepts any, for tests with a stopped clock.
   */
  recvWindowMs: number | null;
}

export interface SimTransfer {
  id: string;
  type: 'deposit' | 'withdrawal';
  asset: string;
  amount: string;
  fee?: string;
  isPending?: boolean;
  time: number;
}

export interface SimPosition {
  symbol: string;
  amount: number;
  entryPrice: number;
  leverage: number;
}

interface SimFundingPayment {
  id: string;
  symbol: string;
  received: string;
  time: number;
}

export interface SimAccountOrder {
  id: string;
  clientOrderId: string | null;
  symbol: string;
  side: 'buy' | 'sell';
  price: string;
  amount: string;
  /** Filled amount. The default is 0 for an open order, and everything for a closed one. */
  filled?: string;
  time: number;
}

export interface SimAccountTrade {
  id: string;
  orderId: string;
  symbol: string;
  side: 'buy' | 'sell';
  price: string;
  amount: string;
  fee: string;
  feeAsset: string;
  isMaker?: boolean;
  time: number;
}

export const filledOf = ({ amount, filled }: SimAccountOrder, isClosed: boolean): string =>
  filled ?? (isClosed ? amount : '0');

/**
 * Keys that only this simulator accepts. The secret is in base64, because one dialect decodes it.
 */
export function createSimAccount(): SimAccount {
  return {
    apiKey: 'simulated-key-for-tests-0001',
    secret: Buffer.from('simulated secret for tests, not a real one').toString('base64'),
    password: 'simulated-password-0001',
    balances: {
      USDT: { free: '10000.5', locked: '250' },
      BTC: { free: '0.75', locked: '0' },
      ETH: { free: '4.2', locked: '0.8' },
      XRP: { free: '0', locked: '0' },
    },
    orders: [],
    closedOrders: [],
    trades: [],
    transfers: [],
    positions: [],
    margin: '5000',
    fundingPayments: [],
    permissions: { trade: false, withdraw: false },
    boundTo: '127.0.0.1',
    recvWindowMs: null,
  };
}

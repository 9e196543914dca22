/** The account that both dialects show; tests change it in place. */
export interface SimAccount {
  apiKey: string;
  secret: string;
  /** Where the exchange wants one beside them. */
  password: string;
  balances: Record<string, { free: string; locked: string }>;
  orders: SimAccountOrder[];
  /** Filled or cancelled: found by their id only. */
  closedOrders: SimAccountOrder[];
  trades: SimAccountTrade[];
  /** Deposits and withdrawals. */
  transfers: SimTransfer[];
  /** Of perpetuals that settle in USDT; amounts in base, negative when short. */
  positions: SimPosition[];
  /** In USDT, where an exchange keeps margin apart from spot. */
  margin: string;
  fundingPayments: SimFundingPayment[];
  /** What the key may do beside reading. */
  permissions: { trade: boolean; withdraw: boolean };
  /** The only address that may use the key. */
  boundTo: string | null;
  /** How far the time of a signed request may be from the exchange's; null takes any, as a clock that stands still needs. */
  recvWindowMs: number | null;
}

export interface SimTransfer {
  id: string;
  type: 'deposit' | 'withdrawal';
  asset: string;
  amount: string;
  /** Of a withdrawal, beside its amount. */
  fee?: string;
  /** Not there yet, or not sent yet. */
  isPending?: boolean;
  time: number;
}

export interface SimPosition {
  /** Of the spot market. */
  symbol: string;
  amount: number;
  entryPrice: number;
  leverage: number;
}

interface SimFundingPayment {
  id: string;
  symbol: string;
  /** In USDT; negative when it was paid. */
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
  time: number;
}

/** Keys that only this simulator accepts; the secret is base64 because one dialect decodes it. */
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

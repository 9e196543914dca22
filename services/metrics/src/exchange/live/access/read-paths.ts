/** What this service may ask each exchange, by method and path: nothing that trades or moves money is among it. */
const READ_PATHS: Record<string, RegExp[]> = {
  binance: [
    /^GET \/api\/v3\/(ping|time|exchangeInfo|ticker\/(24hr|bookTicker|price)|klines|depth)$/,
    /^GET \/api\/v3\/(account|openOrders|order|allOrders|myTrades)$/,
    /^GET \/fapi\/v1\/(time|exchangeInfo|premiumIndex|leverageBracket|income)$/,
    /^GET \/fapi\/v3\/(account|positionRisk)$/,
    /^GET \/sapi\/v1\/(account\/apiRestrictions|capital\/(deposit\/hisrec|withdraw\/history))$/,
  ],
  bybit: [
    /^GET \/v5\/market\/(time|instruments-info|tickers|kline)$/,
    /^GET \/v5\/(user\/query-api|account\/(info|wallet-balance))$/,
    /^GET \/v5\/(order\/(realtime|history)|execution\/list|position\/list)$/,
    /^GET \/v5\/asset\/(deposit|withdraw)\/query-record$/,
  ],
  coinbase: [
    /^GET \/v2\/time$/,
    /^GET \/api\/v3\/brokerage\/(time|best_bid_ask|market\/products(\/[^/]+\/(ticker|candles))?)$/,
    /^GET \/api\/v3\/brokerage\/(accounts|transaction_summary|key_permissions)$/,
    /^GET \/api\/v3\/brokerage\/orders\/historical\/[^/]+$/,
  ],
  kraken: [
    /^GET \/0\/public\/(Time|Assets|AssetPairs|Ticker|OHLC)$/,
    /^POST \/0\/private\/(BalanceEx|OpenOrders|QueryOrders|TradesHistory|GetApiKeyInfo)$/,
    /^POST \/0\/private\/(DepositStatus|WithdrawStatus|Ledgers)$/,
  ],
  okx: [
    /^GET \/api\/v5\/(public\/(time|instruments|funding-rate)|market\/(tickers?|candles|history-candles))$/,
    /^GET \/api\/v5\/account\/(balance|config|positions|bills-archive)$/,
    /^GET \/api\/v5\/trade\/(orders-pending|order|fills|fills-history)$/,
    /^GET \/api\/v5\/asset\/(deposit-history|withdrawal-history)$/,
  ],
};

/** Exchanges that are not tested are asked by GET, and those that read by POST by these. */
const OTHERS: RegExp[] = [
  /^GET /,
  /^POST \/v2\/auth\/r\//,
  /^POST \/v1\/(balances|orders|mytrades|order\/status|transfers)$/,
  /^POST \/(exchange\/)?v1\/private\/(get-|user-balance$)/,
  /^POST \/api\/v2\/(account_balances|open_orders|user_transactions|order_status)\b/,
];

/** Whether a request of an exchange only reads. */
export function isRead(exchange: string, method: string, path: string): boolean {
  const known = READ_PATHS[exchange] ?? OTHERS;
  return known.some((pattern) => pattern.test(`${method} ${path}`));
}

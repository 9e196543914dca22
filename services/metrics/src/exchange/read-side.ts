/** The side of an order or a trade, or null: an unreadable one must not count as a purchase. */
export const readSide = (value: unknown): 'buy' | 'sell' | null =>
  value === 'buy' || value === 'sell' ? value : null;

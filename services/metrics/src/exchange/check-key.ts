import type { Logger } from '@switchyard/server';
import type { Exchange } from './port';

export async function checkKey(
  { exchange, logger }: { exchange: Pick<Exchange, 'state' | 'checkKey'>; logger: Logger },
  signal: AbortSignal,
): Promise<void> {
  const before = exchange.state().key;
  await exchange.checkKey(signal);
  const { checkedAt, problem, warnings } = exchange.state().key;
  if (problem !== null && problem !== before.problem) logger.error(problem);
  if (checkedAt !== before.checkedAt) for (const warning of warnings) logger.warn(warning);
}

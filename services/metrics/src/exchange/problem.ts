import type { Exchange } from './port';

/** Why the exchange cannot be used: by its configuration, or by what is known of its key; null when it can. */
export function exchangeProblem({
  config,
  exchange,
}: {
  config: { exchangeProblem: string | null };
  exchange: Pick<Exchange, 'state'>;
}): string | null {
  return config.exchangeProblem ?? exchange.state().key.problem;
}

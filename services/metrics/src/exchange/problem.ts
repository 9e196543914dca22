import type { Exchange } from './port';

export function exchangeProblem({
  config,
  exchange,
}: {
  config: { exchangeProblem: string | null };
  exchange: Pick<Exchange, 'state'>;
}): string | null {
  return config.exchangeProblem ?? exchange.state().key.problem;
}

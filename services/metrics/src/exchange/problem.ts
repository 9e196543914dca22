import type { Resources } from '../resources';

/** Why the exchange cannot be used: by its configuration, or by what is known of its key; null when it can. */
export function exchangeProblem({
  config,
  exchange,
}: Pick<Resources, 'config' | 'exchange'>): string | null {
  return config.exchangeProblem ?? exchange.state().key.problem;
}

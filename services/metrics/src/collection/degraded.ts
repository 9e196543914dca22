import { KINDS } from '../kinds/kinds';
import type { Components } from './collect-contract';

export function degradation(components: Components) {
  const named = (...statuses: string[]) =>
    KINDS.map(({ component }) => component).filter((name) =>
      statuses.includes(components[name]?.status ?? ''),
    );
  return {
    degraded: named('partial', 'failed').length > 0,
    failed_components: named('failed'),
  };
}

const OF_STORED = KINDS.filter(({ readsCandles }) => readsCandles).map(
  ({ component }) => component,
);

export const broughtData = (components: Components): boolean =>
  Object.entries(components).some(
    ([component, { data_points }]) => data_points > 0 && !OF_STORED.includes(component),
  );

import { KINDS } from '../kinds/kinds';
import type { Components } from './collect-contract';

/** What the parts of a collection come to: degraded when one is less than whole, and which ones brought nothing. */
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

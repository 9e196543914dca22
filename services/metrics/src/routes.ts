import { collectEndpoints } from './collection/collect.routes';
import type { Context } from './context';
import { dashboardEndpoints } from './dashboard/dashboard.routes';
import { expositionEndpoints } from './exposition/exposition.routes';
import { gridEndpoints } from './grids/grids.routes';
import { healthEndpoints } from './health/health.routes';
import { historyEndpoints } from './history/history.routes';
import type { Endpoint } from './http/endpoint';
import { regimeEndpoints } from './regime/regime.routes';

/** Every endpoint of the service: what is mounted and what the OpenAPI document shows. */
export function allEndpoints(context: Context): Endpoint[] {
  return [
    ...healthEndpoints(context),
    ...collectEndpoints(context),
    ...historyEndpoints(context),
    ...regimeEndpoints(context),
    ...gridEndpoints(context),
    ...dashboardEndpoints(context),
    ...expositionEndpoints(context),
  ];
}

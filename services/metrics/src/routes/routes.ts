import type { Context } from '../context';
import type { Endpoint } from '../http/endpoint';
import { collectEndpoints } from './collect.routes';
import { dashboardEndpoints } from './dashboard.routes';
import { expositionEndpoints } from './exposition.routes';
import { gridEndpoints } from './grids.routes';
import { healthEndpoints } from './health.routes';
import { historyEndpoints } from './history.routes';
import { regimeEndpoints } from './regime.routes';

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

import { collectEndpoints } from './collection/collect.routes';
import type { Context } from './context';
import { healthEndpoints } from './health/health.routes';
import type { Endpoint } from './http/endpoint';

/** Every endpoint of the service: what is mounted and what the OpenAPI document shows. */
export function allEndpoints(context: Context): Endpoint[] {
  return [...healthEndpoints(context), ...collectEndpoints(context)];
}

import { ERROR_STATUS } from '@switchyard/server';
import { allRoutes } from '../src/routes';
import { useHarness } from './harness';
import { VALID_CALLS } from './mutations';

/** The table without its effects: only the paths are read here, no handler is called. */
const nothing = {} as Parameters<typeof allRoutes>[0];
const MUTATIONS = allRoutes(nothing)
  .filter((route) => route.method !== 'GET')
  .map((route) => ({ name: `${route.method} ${route.path}`, status: route.status }));

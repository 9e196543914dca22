import { type Pipeline, type Route, routesFor } from '@switchyard/server';
import type { Context } from '../context';
import { presentError } from '../http/present-error';
import { readBody, readQuery } from '../http/read-input';

export interface CallScope {
  context: Context;
}

/** `token` requires METRICS_TOKEN where it is set. */
export type Access = 'public' | 'token';

export type MetricsRoute = Route<CallScope, Access>;
export const route = routesFor<CallScope, Access>();

/** The token was looked at before any path was: unknown paths want it too. */
export function createPipeline(context: Context): Pipeline<CallScope> {
  return {
    check: () => undefined,
    admit: async () => ({ context }),
    run: (_route, call, handle) => handle(call),
    readQuery,
    readBody,
    presentError,
  };
}

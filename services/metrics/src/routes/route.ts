import { type Pipeline, type Route, routesFor } from '@switchyard/server';
import type { Context } from '../context';
import { presentError } from '../http/present-error';
import { readBody, readQuery } from '../http/read-input';

export interface CallScope {
  context: Context;
}

export type Access = 'public' | 'token';

export type MetricsRoute = Route<CallScope, Access>;
export const route = routesFor<CallScope, Access>();

/** Checks the token before the path, so that unknown paths require it too. */
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

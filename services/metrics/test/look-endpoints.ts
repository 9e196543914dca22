import type { Context } from '../src/context';
import type { Endpoint } from '../src/http/endpoint';
import { allEndpoints } from '../src/routes/routes';

/** The endpoints without a service behind them: good for looking at, not for calling. */
export const lookEndpoints = (): Endpoint[] => allEndpoints({} as Context);

import type { NextFunction, Request, Response } from 'express';
import type { Metrics } from './metrics';

/** Times every request by its route, never by its path: a path can be anything. */
export function observeRequests({ httpDuration }: Metrics) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const end = httpDuration.startTimer();
    response.on('close', () => {
      const { route } = request as { route?: { path?: unknown } };
      const path = typeof route?.path === 'string' ? route.path : 'other';
      const status_class = `${Math.floor(response.statusCode / 100)}xx`;
      end({ route: path, method: path === 'other' ? 'any' : request.method, status_class });
    });
    next();
  };
}

import type { NextFunction, Request, RequestHandler, Response } from 'express';

/**
 * Combines the steps of every request into one, because Express's matching per step takes longer
 * than most steps.
 */
export function inOrder(...steps: RequestHandler[]): RequestHandler {
  return (request: Request, response: Response, next: NextFunction): void => {
    let at = 0;
    const go = (error?: unknown): void => {
      const step = error === undefined ? steps[at++] : undefined;
      if (step) void step(request, response, go);
      else next(error);
    };
    go();
  };
}

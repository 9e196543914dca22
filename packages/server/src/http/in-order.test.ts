import express, { type NextFunction, type Request, type Response } from 'express';
import supertest from 'supertest';
import { inOrder } from './in-order';

describe('inOrder', () => {
  const note = (name: string) => (_request: Request, response: Response, next: NextFunction) => {
    response.append('X-Step', name);
    next();
  };
  const fails = (_request: Request, _response: Response, next: NextFunction) =>
    next(new Error('passed to next'));
  const throws = () => {
    throw new Error('thrown');
  };
  const serve = (...steps: Parameters<typeof inOrder>) => {
    const app = express();
    app.use(inOrder(...steps));
    app.use((_request, response) => void response.send('done'));
    app.use((error: Error, _request: Request, response: Response, _next: NextFunction) => {
      response.status(500).send(error.message);
    });
    return supertest(app).get('/');
  };

  it('runs the steps one after another, and then calls the next handler', async () => {
    const { text, headers } = await serve(note('one'), note('two'));
    expect([text, headers['x-step']]).toEqual(['done', 'one, two']);
    expect((await serve()).text).toBe('done');
  });

  it.each([
    ['passed to next', fails],
    ['thrown', throws],
  ])('stops at a step that fails: the error is %s', async (message, step) => {
    const { status, text, headers } = await serve(note('one'), step, note('two'));
    expect([status, text, headers['x-step']]).toEqual([500, message, 'one']);
  });

  it('stops at a step that has responded', async () => {
    const respond = (_request: Request, response: Response) => void response.send('early');
    expect((await serve(respond, note('two'))).text).toBe('early');
  });
});

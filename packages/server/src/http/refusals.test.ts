import express from 'express';
import { Registry } from 'prom-client';
import supertest from 'supertest';
import { type Logger, silentLogger } from '../logging/logger';
import { extendLogContext } from '../tracing/correlation';
import { ApiError, conflict, forbidden, unauthenticated } from './errors';
import { finishApplication, requestLog } from './mount';
import { openRefusalLog } from './refusals';

const REFUSALS: Record<string, () => Error> = {
  401: () => unauthenticated('no credential'),
  403: () => forbidden('cross_company', 'of another company'),
  409: () => conflict('conflict', 'not now'),
  429: () => new ApiError('rate_limited', 'too many'),
};

function serve() {
  let endWindow = () => {};
  const lines: Record<string, unknown>[] = [];
  const logger: Logger = {
    ...silentLogger,
    info: (message, fields) => void lines.push({ message, ...fields }),
  };
  const registry = new Registry();
  const app = express();
  app.set('trust proxy', true);
  app.use(requestLog(logger));
  app.get('/:status/secret-of-an-invite', (request) => {
    const actor = request.get('x-actor');
    if (actor) extendLogContext({ actor });
    throw REFUSALS[request.params.status]?.();
  });
  finishApplication(app, logger, {
    recordRefusal: openRefusalLog({
      logger,
      registry,
      prefix: 'p',
      afterWindow: (end) => {
        endWindow = end;
      },
    }),
  });
  const api = supertest(app);
  const ask = (status: number, address: string, actor = '') =>
    api
      .get(`/${status}/secret-of-an-invite`)
      .set('X-Forwarded-For', address)
      .set('X-Actor', actor)
      .expect(status);
  return { ask, lines, registry, endWindow: () => endWindow() };
}

describe('openRefusalLog', () => {
  it('logs only 401, 403 and 429, with status, code, route, caller and address', async () => {
    const { ask, lines, registry } = serve();
    await ask(401, '192.0.2.1');
    await ask(403, '192.0.2.1', 'agent:7');
    await ask(409, '192.0.2.1');
    await ask(429, '2001:db8:1:2:3::4');
    const common = { message: 'request refused', method: 'GET' };
    const route = '/:status/secret-of-an-invite';
    expect(lines).toEqual([
      {
        ...common,
        route,
        status: 401,
        code: 'unauthenticated',
        actor: 'anonymous',
        address: '192.0.2.1',
      },
      {
        ...common,
        route,
        status: 403,
        code: 'cross_company',
        actor: 'agent:7',
        address: '192.0.2.1',
      },
      {
        ...common,
        route,
        status: 429,
        code: 'rate_limited',
        actor: 'anonymous',
        address: '2001:db8:1:2::/64',
      },
    ]);
    const text = await registry.metrics();
    expect(text).toContain('p_http_refusals_total{code="cross_company"} 1');
    expect(text).toContain('p_http_refusals_total{code="board_only"} 0');
    expect(text).not.toContain('code="conflict"');
  });

  it('logs ten lines per caller and address in a window, and then the number of omitted lines', async () => {
    const { ask, lines, endWindow } = serve();
    for (let at = 0; at < 13; at++) await ask(401, '192.0.2.1');
    await ask(401, '192.0.2.2');
    endWindow();
    const refused = lines.filter(({ message }) => message === 'request refused');
    expect(refused.map(({ address }) => address)).toEqual([
      ...Array(10).fill('192.0.2.1'),
      '192.0.2.2',
    ]);
    expect(lines.at(-1)).toEqual({
      message: 'refused requests were omitted from the log',
      actor: 'anonymous',
      address: '192.0.2.1',
      count: 3,
    });
    await ask(401, '192.0.2.1');
    expect(lines).toHaveLength(13);
  });

  it('logs at most a hundred lines in a window for all callers together', async () => {
    const { ask, lines, endWindow } = serve();
    for (let at = 0; at < 104; at++) await ask(401, `192.0.2.${at}`);
    endWindow();
    expect(lines).toHaveLength(101);
    expect(lines.at(-1)).toEqual({
      message: 'refused requests were omitted from the log',
      actor: 'others',
      count: 4,
    });
  });
});

import { type Logger, silentLogger } from '@switchyard/server';
import { useAuthenticatedHarness } from '../../../test/authenticated-harness';

describe('the log of refused requests', () => {
  const lines: Record<string, unknown>[] = [];
  const logger: Logger = {
    ...silentLogger,
    info: (message, fields) => void lines.push({ message, ...fields }),
  };
  const harness = useAuthenticatedHarness({ context: { context: { logger } } });

  it('contains the caller, the address, the error code and the route', async () => {
    const [own, foreign] = [await harness.build.agent(), await harness.build.agent()];
    const key = await harness.build.apiKey(own.id);
    lines.length = 0;
    const ask = (path: string) => harness.api.get(path).set('X-Forwarded-For', '198.51.100.7');
    await ask('/api/companies').expect(401);
    await ask(`/api/agents/${foreign.id}`).set('Authorization', key).expect(403);
    await ask('/api/agents/me').set('Authorization', key).expect(200);
    const wrong = { email: 'nobody@example.com', password: 'a guess of a password' };
    await harness.api.post('/api/auth/login').set('X-Forwarded-For', '198.51.100.7').send(wrong);
    const common = { message: 'request refused', address: '198.51.100.7' };
    const refused = lines.filter(({ message }) => message === 'request refused');
    expect(refused).toEqual([
      {
        ...common,
        method: 'GET',
        route: '/api/companies',
        status: 401,
        code: 'unauthenticated',
        actor: 'anonymous',
      },
      {
        ...common,
        method: 'GET',
        route: '/api/agents/:agentId',
        status: 403,
        code: 'cross_company',
        actor: `agent:${own.id}`,
      },
      {
        ...common,
        method: 'POST',
        route: '/api/auth/login',
        status: 401,
        code: 'unauthenticated',
        actor: 'anonymous',
      },
    ]);
  });
});

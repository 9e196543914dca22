import { useAuthenticatedHarness } from '../../test/authenticated-harness';
import { useHarness } from '../../test/harness';
import { lookRoutes } from '../../test/operations';
import { SECURITY_TABLE } from '../../test/security-table';
import { buildSide, fill } from '../../test/world';

describe('X-Acting-As in local trusted mode', () => {
  const harness = useHarness();

  it('names the caller (board, agent, webhook or anonymous) on success and error responses', async () => {
    const { api, build } = harness;
    const { ids, agent } = await buildSide(harness);
    const run = await build.liveRun(agent);
    const key = await build.apiKey(agent.id);
    const actingAs = async (path: string, authorization?: string) => {
      const request = api.get(path);
      if (authorization) request.set('Authorization', authorization);
      const { status, headers } = await request;
      return [status, headers['x-acting-as']];
    };
    const issue = `/api/issues/${ids.issueId}`;
    expect(await actingAs(issue)).toEqual([200, 'local-board']);
    expect(await actingAs('/api/agents/me')).toEqual([403, 'local-board']);
    expect(await actingAs(`${issue}?x=1`)).toEqual([400, 'local-board']);
    expect(await actingAs(issue, key)).toEqual([200, `agent:${agent.id}`]);
    expect(await actingAs(issue, run.authorization)).toEqual([200, `agent:${agent.id}`]);
    expect(await actingAs('/api/issues/42', key)).toEqual([404, `agent:${agent.id}`]);
    expect(await actingAs(issue, 'Bearer garbage')).toEqual([401, 'anonymous']);
    for (const path of ['/api/health', '/api/docs', '/api/openapi.json', '/livez']) {
      expect(await actingAs(path)).toEqual([200, 'anonymous']);
    }
    expect(await actingAs('/companies')).toEqual([404, 'anonymous']);
    const put = await api.put(issue).expect(405);
    expect(put.headers['x-acting-as']).toBe('anonymous');
    const foreign = await api.get(issue).set('Host', 'example.com').expect(403);
    expect(foreign.headers['x-acting-as']).toBe('anonymous');
    const { secret, publicId } = await build.trigger(ids.routineId as string, { kind: 'webhook' });
    const fire = (bearer: string) =>
      api
        .post(`/api/routine-triggers/public/${publicId}/fire`)
        .set('Authorization', `Bearer ${bearer}`);
    expect((await fire('garbage').expect(401)).headers['x-acting-as']).toBe('anonymous');
    expect((await fire(secret).expect(202)).headers['x-acting-as']).toBe('webhook');
  });

  it('appears in the response of every route', async () => {
    const { ids } = await buildSide(harness);
    for (const { method, path } of lookRoutes()) {
      const verb = method.toLowerCase() as 'get';
      const { headers } = await harness.api[verb](fill(path, ids)).set('Authorization', 'Bearer x');
      const row = SECURITY_TABLE[`${method} ${path}`];
      expect({ path, as: headers['x-acting-as'], access: row?.access }).toMatchObject({
        as: 'anonymous',
      });
    }
  });
});

describe('authentication', () => {
  const harness = useAuthenticatedHarness();

  it('sets X-Acting-As to the person that the cookie or token identifies, or to anonymous without a credential', async () => {
    const { founder, founding, api } = harness;
    const self = `user:${founder.id}`;
    const listed = await founding.get('/api/companies').expect(200);
    expect(listed.headers['x-acting-as']).toBe(self);
    const refused = await founding.get('/api/companies?x=1').expect(400);
    expect(refused.headers['x-acting-as']).toBe(self);
    const { headers } = await api.get('/api/companies').expect(401);
    expect(headers['x-acting-as']).toBe('anonymous');
  });

  it('rejects a credential in the wrong header with 401, and the error names the right header', async () => {
    const { api, build, founding } = harness;
    const agent = await build.agent();
    const key = (await build.apiKey(agent.id)).slice('Bearer '.length);
    const { body } = await api.get('/api/companies').set('x-api-key', key).expect(401);
    expect(body.error).toMatch(/^x-api-key: .*Authorization: Bearer/);
    const without = await api.get('/api/companies').expect(401);
    expect(without.body.error).toMatch(/^sign in first, or send "Authorization: Bearer/);
    await founding.get('/api/companies').set('x-auth-token', 'of the proxy').expect(200);
  });
});

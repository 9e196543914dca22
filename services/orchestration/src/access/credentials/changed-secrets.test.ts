import { newId } from '@switchyard/db';
import type { Request } from 'express';
import supertest from 'supertest';
import { useAuthenticatedHarness } from '../../../test/authenticated-harness';
import { startReplica } from '../../../test/replica';
import { RUNNER_TOKEN, runnerClient, WITH_RUNNERS } from '../../../test/runner-client';
import { createKnownBrowsers } from '../sign-in/known-browsers';

const OLD_TOKEN = 'the-previous-token-of-the-runners-of-the-tests';

describe('rotation of secrets', () => {
  const harness = useAuthenticatedHarness({
    config: { runner: { ...WITH_RUNNERS.runner, oldToken: OLD_TOKEN } },
  });
  const hello = (door: typeof harness.api, token: string) =>
    runnerClient({ runners: door }, { token }).hello();

  it("keeps the installation's previous runner token valid, but only on the worker's listener", async () => {
    const { api, runners } = harness;
    for (const token of [RUNNER_TOKEN, OLD_TOKEN]) {
      await hello(runners, token).expect(200);
      const { body } = await hello(api, token).expect(401);
      expect(body.error).toContain('WORKER_PORT');
    }
    await hello(runners, `${OLD_TOKEN}x`).expect(401);
  });

  it('keeps the token of a company’s runner valid on both listeners', async () => {
    const { id } = await harness.build.company();
    const made = await harness.founding
      .post(`/api/companies/${id}/runners`)
      .send({ name: 'desk' })
      .expect(201);
    for (const door of [harness.api, harness.runners]) {
      await hello(door, made.body.token).expect(200);
    }
  });

  it('keeps run tokens, stored responses and sessions valid until the old secret is removed', async () => {
    const { config, build, operator, url } = harness;
    const run = await build.liveRun();
    const { companyId } = run.agent;
    const { cookie } = await operator(companyId);
    const key = newId();
    const ask = async (at: string) => {
      const door = supertest(at);
      const created = await door
        .post(`/api/companies/${companyId}/issues`)
        .set({ Authorization: run.authorization, 'Idempotency-Key': key })
        .send({ title: 'once' });
      const seen = await door.get(`/api/companies/${companyId}`).set('Cookie', cookie);
      return { created: created.status, id: created.body.id, seen: seen.status };
    };
    const first = await ask(url);
    expect(first).toMatchObject({ created: 201, seen: 200 });

    const { signIn, runTokenSecret } = config;
    if (!signIn) throw new Error('people sign in here');
    const { session } = signIn;
    const secret = 'another secret of sessions, for this test';
    const askReplica = async (isOldKept: boolean) => {
      const oldSecret = isOldKept ? session.secret : null;
      const replica = await startReplica({
        ...config,
        runTokenSecret: 'another secret of runs, for this test',
        oldRunTokenSecret: isOldKept ? runTokenSecret : null,
        signIn: { ...signIn, session: { ...session, secret, oldSecret } },
      });
      try {
        return await ask(replica.url);
      } finally {
        await replica.close();
      }
    };
    expect(await askReplica(true)).toEqual(first);
    expect(await askReplica(false)).toMatchObject({ created: 401, seen: 401 });
  });

  it('keeps the cookies of known browsers valid until the old secret is removed', () => {
    const cookies: string[] = [];
    const request = {
      get: () => cookies.join('; '),
      res: { cookie: (name: string, value: string) => cookies.push(`${name}=${value}`) },
    } as unknown as Request;
    createKnownBrowsers(['the first secret'], true).remember(request, 'ada@example.com');
    const idBy = (...secrets: [string, ...string[]]) =>
      createKnownBrowsers(secrets, true).idOf(request, 'ada@example.com');
    expect(idBy('the second', 'the first secret')).toBe(idBy('the first secret'));
    expect(idBy('the first secret')).not.toBeNull();
    expect(idBy('the second')).toBeNull();
  });
});

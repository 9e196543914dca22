import type { ActivityView } from '@switchyard/types';
import { cookieOf, PASSWORD, useAuthenticatedHarness } from '../../../test/authenticated-harness';
import { everything } from '../../../test/everything';
import { requireSignIn } from '../../access/sign-in/sign-in';
import { recordFailures, startFailureRecords } from './record-failures';

describe('the activity of a person’s account', () => {
  const harness = useAuthenticatedHarness();
  const activityOf = async (companyId: string): Promise<ActivityView[]> => {
    const { body } = await harness.founding.get(`/api/companies/${companyId}/activity`).expect(200);
    return body.filter(({ entityType }: ActivityView) => entityType === 'person');
  };
  const guess = ({ email }: { email: string }) =>
    harness.api.post('/api/auth/login').send({ email, password: 'x'.repeat(12) });

  it('appears in each company of the person, and in no other company', async () => {
    const companies = [await harness.build.company(), await harness.build.company()] as const;
    const foreign = await harness.build.company();
    const someone = await harness.person();
    for (const { id } of companies) await harness.join(someone, id, 'viewer');
    const request = harness.api.post('/api/auth/login').set('User-Agent', 'Firefox');
    const login = await request.send({ email: someone.email, password: PASSWORD }).expect(200);
    const cookie = cookieOf(login);
    await harness.as({ cookie }).post('/api/auth/logout').expect(204);
    for (const { id } of companies) {
      const [out, into] = await activityOf(id);
      expect(into).toMatchObject({
        action: 'person.signed_in',
        actorType: 'user',
        actorId: someone.id,
        entityId: someone.id,
        details: { sessionId: expect.any(String), userAgent: 'Firefox' },
      });
      expect(out).toMatchObject({
        action: 'person.signed_out',
        actorId: someone.id,
        details: { sessionId: into?.details.sessionId },
      });
    }
    expect(await activityOf(foreign.id)).toEqual([]);
  });

  it('contains, per account, one entry with the number of failed sign-ins, and no entry for unknown accounts', async () => {
    const { db } = harness.context;
    const signIn = requireSignIn(harness.context);
    await recordFailures(db, signIn);
    const company = await harness.build.company();
    const people = [await harness.person(), await harness.person()] as const;
    for (const person of people) await harness.join(person, company.id, 'viewer');
    const before = await everything(harness);
    for (let at = 0; at < 4; at++) await guess(people[0]).expect(401);
    await guess(people[1]).expect(401);
    await guess({ email: 'nobody@example.com' }).expect(401);
    expect(await everything(harness)).toEqual(before);
    await recordFailures(db, signIn);
    await recordFailures(db, signIn);
    const activity = await activityOf(company.id);
    expect(activity).toHaveLength(2);
    const of = (id: string) => activity.find(({ entityId }) => entityId === id);
    expect(of(people[0].id)).toMatchObject({
      action: 'person.sign_in_failed',
      actorType: 'system',
      actorId: null,
      details: { count: 4 },
    });
    expect(of(people[1].id)?.details).toEqual({ count: 1 });
  });

  it('includes failed sign-ins during an outage, which are recorded on shutdown at the latest', async () => {
    const signIn = requireSignIn(harness.context);
    const { db } = harness.context;
    await recordFailures(db, signIn);
    const company = await harness.build.company();
    const someone = await harness.person();
    await harness.join(someone, company.id, 'viewer');
    await guess(someone).expect(401);
    const away = { ...db, client: { $transaction: () => Promise.reject(new Error('away')) } };
    await recordFailures(away as never, signIn);
    expect(await activityOf(company.id)).toEqual([]);
    await startFailureRecords(db, signIn).close();
    expect(await activityOf(company.id)).toMatchObject([{ details: { count: 1 } }]);
  });
});

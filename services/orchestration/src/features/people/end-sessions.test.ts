import { Readable } from 'node:stream';
import { useAuthenticatedHarness } from '../../../test/authenticated-harness';
import { administer } from './administer';

describe('admin end-sessions', () => {
  const harness = useAuthenticatedHarness();
  const admin = (...words: string[]) =>
    administer(harness.context.db, ['end-sessions', ...words], Readable.from(['']));

  it('ends all sessions of one person, or of every person with --all', async () => {
    const company = await harness.build.company();
    const [one, other] = [await harness.operator(company.id), await harness.operator(company.id)];
    await harness.logIn(one);
    const read = (person: typeof one) => harness.as(person).get('/api/auth/session');
    expect(await admin(one.email)).toBe('sessions ended: 2\n');
    await read(one).expect(401);
    await read(other).expect(200);
    expect(await admin(one.email)).toBe('sessions ended: 0\n');
    const { body } = await harness.founding
      .get(`/api/companies/${company.id}/activity?action=person.sessions_ended`)
      .expect(200);
    expect(body).toMatchObject([{ actorType: 'system', details: { endedSessions: 2 } }]);
    await expect(admin('nobody@example.com')).rejects.toThrow('no account has the e-mail address');
    await admin('--all');
    await read(other).expect(401);
    expect(await harness.db.session.count()).toBe(0);
  });
});

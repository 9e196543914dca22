import {
  PASSWORD,
  type Person,
  useAuthenticatedHarness,
} from '../../../../test/authenticated-harness';
import { everything } from '../../../../test/everything';
import { createPasswords } from '../../../access/sign-in/passwords';
import { resetPassword } from '../administration';

const SET = 'quiet-lantern-harbour-9';
const OWN = 'another horse battery staple';

describe('a password that the operator has set', () => {
  const harness = useAuthenticatedHarness();
  const reset = async (person: Person) => {
    const passwordHash = await createPasswords(4).hash(SET);
    await resetPassword(harness.context.db, person.email, passwordHash);
  };
  const logIn = ({ email }: Person, more: object = {}) =>
    harness.api.post('/api/auth/login').send({ email, password: SET, ...more });

  it('must be replaced at the first sign-in', async () => {
    const company = await harness.build.company();
    const someone = await harness.operator(company.id, 'viewer');
    await reset(someone);
    const before = await everything(harness);
    const refused = await logIn(someone).expect(403);
    expect(refused.body.code).toBe('password_change_required');
    expect(refused.headers['set-cookie']).toBeUndefined();
    for (const newPassword of ['short', SET, 'password1234', someone.email]) {
      const weak = await logIn(someone, { newPassword }).expect(400);
      expect(weak.body.details[0].path).toEqual(['newPassword']);
    }
    expect((await logIn(someone, { password: 'wrong', newPassword: OWN })).status).toBe(401);
    expect(await everything(harness)).toEqual(before);
    await logIn(someone, { newPassword: OWN }).expect(200);
    expect((await logIn(someone)).status).toBe(401);
    expect((await harness.logIn(someone, OWN)).status).toBe(200);
    const { body } = await harness.founding
      .get(`/api/companies/${company.id}/activity?action=person.password_changed`)
      .expect(200);
    expect(body).toMatchObject([{ actorId: someone.id }]);
  });

  it('cannot be used to accept an invite, and cannot be used at all after it has expired', async () => {
    const someone = await harness.person();
    await reset(someone);
    const { body: invite } = await harness.founding
      .post(`/api/companies/${(await harness.build.company()).id}/invites`)
      .send({ role: 'viewer' })
      .expect(201);
    const join = () =>
      harness.api
        .post(`/api/auth/invites/${invite.token}/accept`)
        .send({ email: someone.email, password: SET });
    expect((await join().expect(403)).body.code).toBe('password_change_required');
    const passwordExpiresAt = new Date(Date.now() - 1_000);
    await harness.db.person.update({ where: { id: someone.id }, data: { passwordExpiresAt } });
    const before = await everything(harness);
    await logIn(someone).expect(401);
    await logIn(someone, { newPassword: OWN }).expect(401);
    await join().expect(401);
    expect(await everything(harness)).toEqual(before);
  });

  it('can be replaced by only one of two concurrent sign-ins', async () => {
    const someone = await harness.person();
    await reset(someone);
    const answers = await Promise.all(
      [`${OWN} 1`, `${OWN} 2`].map((newPassword) => logIn(someone, { newPassword })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
    expect(await harness.db.session.count({ where: { userId: someone.id } })).toBe(1);
  });

  it('must also be replaced in the plain HTML form', async () => {
    const someone = await harness.person();
    await reset(someone);
    const send = (more: object = {}) =>
      harness.api
        .post('/sign-in')
        .type('form')
        .send({ email: someone.email, password: SET, next: '', newPassword: '', ...more })
        .expect(303);
    expect((await send()).headers.location).toBe('/sign-in#replace');
    expect((await send({ newPassword: 'short' })).headers.location).toBe('/sign-in#replace');
    expect((await send({ newPassword: OWN })).headers.location).toBe('/');
  });

  it('can be replaced during sign-in, unlike a password that the person has chosen', async () => {
    const someone = await harness.person();
    const refused = await harness.api
      .post('/api/auth/login')
      .send({ email: someone.email, password: PASSWORD, newPassword: OWN })
      .expect(400);
    expect(refused.body.details[0].path).toEqual(['newPassword']);
    expect((await harness.logIn(someone)).status).toBe(200);
  });
});

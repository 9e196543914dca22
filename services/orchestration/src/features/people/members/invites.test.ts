import { newId } from '@switchyard/db';
import type { CompanyView, InviteView } from '@switchyard/types';
import {
  cookieOf,
  PASSWORD,
  PUBLIC_URL,
  useAuthenticatedHarness,
} from '../../../../test/authenticated-harness';
import { everything } from '../../../../test/everything';

describe('invites', () => {
  const harness = useAuthenticatedHarness();
  let company: CompanyView;
  beforeEach(async () => {
    company = await harness.build.company();
  });

  const invite = async (body: object = { role: 'operator' }): Promise<InviteView> =>
    (await harness.founding.post(`/api/companies/${company.id}/invites`).send(body).expect(201))
      .body;
  const accept = (token: string, body: object, cookie = '') =>
    harness.api.post(`/api/auth/invites/${token}/accept`).set('Cookie', cookie).send(body);
  const newcomer = () => ({ email: `${newId()}@example.com`, password: PASSWORD, name: 'Grace' });

  it('can be created by an owner, show their token only once, and are valid for seven days', async () => {
    const made = await invite({ role: 'viewer', email: 'Grace@Example.com' });
    expect(made).toEqual({
      id: expect.any(String),
      token: expect.stringMatching(/^[\w-]{43}$/),
      url: `${PUBLIC_URL}/sign-in#invite=${made.token}`,
      role: 'viewer',
      expiresAt: expect.any(String),
    });
    const days = (Date.parse(made.expiresAt) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(6.9);
    expect(days).toBeLessThanOrEqual(7.01);
    const row = await harness.db.invite.findUniqueOrThrow({ where: { id: made.id } });
    expect(row).toMatchObject({ email: 'grace@example.com', createdByUserId: harness.founder.id });
    expect(
      JSON.stringify(await harness.db.activity.findMany({ select: { details: true } })),
    ).not.toContain(made.token);
    for (const [body, field] of [
      [{}, 'role'],
      [{ role: 'admin' }, 'role'],
      [{ role: 'viewer', email: 'x' }, 'email'],
      [{ role: 'viewer', days: 70 }, 'days'],
    ] as const) {
      const path = `/api/companies/${company.id}/invites`;
      const refused = await harness.founding.post(path).send(body).expect(400);
      expect(refused.body.details[0].path).toEqual([field]);
    }
  });

  it('create a new person with the role of the invite and sign the person in', async () => {
    const { token } = await invite();
    const person = newcomer();
    const answer = await accept(token, person).expect(201);
    expect(answer.body).toEqual({
      user: { id: expect.any(String), email: person.email, name: 'Grace' },
      membership: {
        id: expect.any(String),
        companyId: company.id,
        companyName: company.name,
        role: 'operator',
        createdAt: expect.any(String),
      },
    });
    const board = harness.as({ cookie: cookieOf(answer) });
    await board.post(`/api/companies/${company.id}/issues`).send({ title: 'x' }).expect(201);
    expect((await harness.logIn({ id: '', email: person.email })).status).toBe(200);
  });

  it('add an existing person to the company if the person sends a password or is signed in', async () => {
    const known = await harness.person();
    const first = await accept((await invite()).token, { email: known.email, password: PASSWORD });
    expect(first.status).toBe(201);
    expect(first.body.user.id).toBe(known.id);
    const present = await harness.operator();
    const second = await accept((await invite()).token, {}, present.cookie).expect(201);
    expect(second.body.user.id).toBe(present.id);
    const other = await harness.operator();
    const third = await accept((await invite()).token, newcomer(), other.cookie).expect(201);
    expect(third.body.user.id).not.toBe(other.id);
    expect(await harness.db.membership.count({ where: { userId: other.id } })).toBe(0);
  });

  it('require the password of an existing account, and return 401 for wrong passwords, then 429', async () => {
    const known = await harness.person();
    const { token } = await invite();
    const before = await everything(harness);
    const statuses: number[] = [];
    for (let at = 0; at < 7; at++) {
      const guess = { email: known.email, password: `wrong guess ${at}`, name: 'Mallory' };
      statuses.push((await accept(token, guess)).status);
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429]);
    expect(await everything(harness)).toEqual(before);
  });

  it('can be accepted only once, while other concurrent attempts store nothing', async () => {
    for (let round = 0; round < 5; round++) {
      const { token } = await invite();
      const people = [newcomer(), newcomer(), newcomer()];
      const answers = await Promise.all(people.map((person) => accept(token, person)));
      expect(answers.map((answer) => answer.status).sort()).toEqual([201, 409, 409]);
      const made = await harness.db.person.findMany({
        where: { email: { in: people.map(({ email }) => email) } },
      });
      expect(made).toHaveLength(1);
      expect((await accept(token, newcomer()).expect(409)).body.code).toBe('conflict');
    }
    expect(await harness.db.membership.count({ where: { companyId: company.id } })).toBe(6);
  });

  it('can be accepted only by the person with the invite’s address, if the invite has an address', async () => {
    const person = newcomer();
    const other = await harness.operator();
    const { token } = await invite({ role: 'viewer', email: person.email });
    const before = await everything(harness);
    await accept(token, newcomer()).expect(403);
    await accept(token, {}, other.cookie).expect(403);
    expect(await everything(harness)).toEqual(before);
    await accept(token, { ...person, email: person.email.toUpperCase() }).expect(201);
  });

  it('cannot be accepted by a member, or if they are expired, unknown, malformed or of an archived company', async () => {
    const { token, id } = await invite();
    const member = await harness.operator(company.id);
    const before = await everything(harness);
    expect((await accept(token, {}, member.cookie).expect(409)).body.error).toContain('member');
    await accept('x'.repeat(43), newcomer()).expect(404);
    for (const bad of ['x', 'x'.repeat(42), `${'x'.repeat(42)}'`]) {
      await accept(encodeURIComponent(bad), newcomer()).expect(404);
    }
    for (const [body, field] of [
      [{}, 'email'],
      [{ email: 'x' }, 'email'],
      [{ email: 'new@example.com' }, 'password'],
      [{ email: 'new@example.com', password: PASSWORD }, 'name'],
      [{ email: 'new@example.com', password: 'short', name: 'x' }, 'password'],
      [{ ...newcomer(), role: 'owner' }, 'role'],
    ] as const) {
      expect((await accept(token, body).expect(400)).body.details[0].path).toEqual([field]);
    }
    const nameless = { email: 'new@example.com', password: PASSWORD };
    expect((await accept(token, nameless).expect(400)).body.error).toBe(
      'name: is required, because new@example.com does not have an account yet',
    );
    expect(await everything(harness)).toEqual(before);

    await harness.db.invite.update({ where: { id }, data: { expiresAt: new Date() } });
    expect((await accept(token, newcomer()).expect(409)).body.error).toContain('expired');
    const late = await invite();
    await harness.founding.post(`/api/companies/${company.id}/archive`).expect(200);
    expect((await accept(late.token, newcomer()).expect(409)).body.code).toBe('company_archived');
    const path = `/api/companies/${company.id}/invites`;
    await harness.founding.post(path).send({ role: 'viewer' }).expect(409);
  });
});

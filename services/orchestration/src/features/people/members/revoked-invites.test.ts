import { newId } from '@switchyard/db';
import type { CompanyView, InviteView, MemberView, OpenInviteView, Role } from '@switchyard/types';
import {
  type Operator,
  PASSWORD,
  useAuthenticatedHarness,
} from '../../../../test/authenticated-harness';
import { everything } from '../../../../test/everything';
import { walkPages } from '../../../../test/walk-pages';

describe('open invites', () => {
  const harness = useAuthenticatedHarness();
  let company: CompanyView;
  let partner: Operator;
  beforeEach(async () => {
    company = await harness.build.company();
    partner = await harness.operator(company.id, 'owner');
  });

  const path = (id = '') => `/api/companies/${company.id}/invites${id && `/${id}`}`;
  const invite = async (by: Operator, body: object = { role: 'owner' }): Promise<InviteView> =>
    (await harness.as(by).post(path()).send(body).expect(201)).body;
  const accept = (token: string, body: object, cookie = '') =>
    harness.api.post(`/api/auth/invites/${token}/accept`).set('Cookie', cookie).send(body);
  const newcomer = () => ({ email: `${newId()}@example.com`, password: PASSWORD, name: 'Grace' });
  const membershipOf = async ({ id }: Operator) => {
    const { body } = await harness.founding.get(`/api/companies/${company.id}/members`).expect(200);
    return (body as MemberView[]).find((member) => member.userId === id) as MemberView;
  };
  const memberPath = async (someone: Operator) =>
    `/api/companies/${company.id}/members/${(await membershipOf(someone)).id}`;
  const remove = async (someone: Operator) => harness.founding.delete(await memberPath(someone));
  const give = async (someone: Operator, role: Role) =>
    harness.founding.patch(await memberPath(someone)).send({ role });
  const revocations = async () => {
    const { body } = await harness.founding
      .get(`/api/companies/${company.id}/activity?action=invite.revoked`)
      .expect(200);
    return body as { actorId: string; entityId: string; details: object }[];
  };

  it('appear in the list for owners, newest first and without a token', async () => {
    const first = await invite(partner, { role: 'viewer', email: 'Grace@Example.com' });
    const second = await invite(partner);
    const used = await invite(partner);
    await accept(used.token, newcomer()).expect(201);
    const expired = await invite(partner);
    const yesterday = new Date(Date.now() - 86_400_000);
    await harness.db.invite.update({ where: { id: expired.id }, data: { expiresAt: yesterday } });
    const { body } = await harness.founding.get(path()).expect(200);
    expect(body).toEqual([
      expect.objectContaining({ id: second.id, email: null, role: 'owner' }),
      {
        id: first.id,
        companyId: company.id,
        email: 'grace@example.com',
        role: 'viewer',
        createdByUserId: partner.id,
        createdByName: expect.stringMatching(/^owner /),
        createdAt: expect.stringMatching(/Z$/),
        expiresAt: first.expiresAt,
      },
    ]);
    for (const { token } of [first, second]) expect(JSON.stringify(body)).not.toContain(token);
    const api = { api: harness.founding } as never;
    expect(await walkPages<OpenInviteView>(api, path(), 1)).toEqual(body);
    for (const role of ['operator', 'viewer'] as const) {
      const someone = harness.as(await harness.operator(company.id, role));
      expect((await someone.get(path()).expect(403)).body.code).toBe('forbidden');
    }
  });

  it('become invalid when an owner revokes them', async () => {
    const { id, token } = await invite(partner, { role: 'viewer' });
    await harness.founding.delete(path(id)).expect(204, '');
    await accept(token, newcomer()).expect(404);
    expect(
      await harness.db.person.count({ where: { name: 'Grace', memberships: { none: {} } } }),
    ).toBe(0);
    expect(await revocations()).toMatchObject([
      { entityId: id, actorId: harness.founder.id, details: { role: 'viewer', reason: null } },
    ]);
    await harness.founding.delete(path(id)).expect(404);
    const used = await invite(partner);
    await accept(used.token, newcomer()).expect(201);
    const elsewhere = await harness.build.company();
    const kept = await invite(partner);
    const operator = harness.as(await harness.operator(company.id));
    const before = await everything(harness);
    await harness.founding.delete(path(used.id)).expect(404);
    await harness.founding.delete(path('x')).expect(404);
    const foreign = `/api/companies/${elsewhere.id}/invites/${kept.id}`;
    await harness.founding.delete(foreign).expect(404);
    await operator.delete(path(kept.id)).expect(403);
    expect(await everything(harness)).toEqual(before);
  });

  it.each(['removed', 'demoted'] as const)(
    'become invalid when the owner who created them is %s',
    async (how) => {
      const own = await invite(partner);
      const other = await invite(harness.founder as Operator);
      const lost = how === 'removed' ? await remove(partner) : await give(partner, 'operator');
      expect(lost.status).toBe(how === 'removed' ? 204 : 200);
      const refused = await accept(own.token, how === 'removed' ? {} : newcomer(), partner.cookie);
      expect(refused.status).toBe(404);
      await accept(own.token, newcomer()).expect(404);
      if (how === 'removed') {
        await harness.as(partner).get(`/api/companies/${company.id}`).expect(403);
      }
      const reason = how === 'removed' ? 'member_removed' : 'role_changed';
      expect(await revocations()).toMatchObject([{ entityId: own.id, details: { reason } }]);
      await accept(other.token, newcomer()).expect(201);
    },
  );

  it('become invalid if they are addressed to a member who is removed', async () => {
    const again = await invite(harness.founder as Operator, {
      role: 'owner',
      email: partner.email,
    });
    const others = await invite(harness.founder as Operator, {
      role: 'viewer',
      email: 'x@example.com',
    });
    expect((await remove(partner)).status).toBe(204);
    await accept(again.token, {}, partner.cookie).expect(404);
    const { body } = await harness.founding.get(path()).expect(200);
    expect(body.map(({ id }: OpenInviteView) => id)).toEqual([others.id]);
  });

  it('cannot be accepted if their creator is no longer a member', async () => {
    const { token } = await invite(partner);
    await harness.db.membership.deleteMany({ where: { userId: partner.id } });
    const before = await everything(harness);
    expect((await accept(token, newcomer()).expect(409)).body.error).toContain('revoked');
    expect((await accept(token, {}, partner.cookie).expect(409)).body.code).toBe('conflict');
    expect(await everything(harness)).toEqual(before);
  });

  it('cannot be accepted after the concurrent removal of their creator', async () => {
    for (let round = 0; round < 8; round++) {
      const maker = await harness.operator(company.id, 'owner');
      const { token } = await invite(maker);
      const removal = await memberPath(maker);
      const person = newcomer();
      const [removed, accepted, late] = await Promise.all([
        harness.founding.delete(removal),
        accept(token, person),
        harness.as(maker).post(path()).send({ role: 'owner' }),
      ]);
      expect(removed.status).toBe(204);
      expect([201, 404, 409]).toContain(accepted.status);
      expect([201, 403]).toContain(late.status);
      const open = await harness.db.invite.count({
        where: { createdByUserId: maker.id, acceptedAt: null },
      });
      expect(open).toBe(0);
      const members = await harness.db.membership.count({
        where: { user: { email: person.email } },
      });
      expect(members).toBe(accepted.status === 201 ? 1 : 0);
      if (late.status === 201) await accept(late.body.token, {}, maker.cookie).expect(404);
      await harness.as(maker).get(`/api/companies/${company.id}`).expect(403);
    }
  });

  it('end either as revoked or as accepted if a revocation and an acceptance are concurrent', async () => {
    for (let round = 0; round < 8; round++) {
      const { id, token } = await invite(partner);
      const [revoked, accepted] = await Promise.all([
        harness.founding.delete(path(id)),
        accept(token, newcomer()),
      ]);
      const outcome = `${revoked.status} ${accepted.status}`;
      expect(['204 404', '204 409', '404 201']).toContain(outcome);
    }
  });
});

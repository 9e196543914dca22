import { newId } from '@switchyard/db';
import type { CompanyView, MemberView } from '@switchyard/types';
import { useAuthenticatedHarness } from '../../../../test/authenticated-harness';
import { everything } from '../../../../test/everything';
import { walkPages } from '../../../../test/walk-pages';

describe('members of a company', () => {
  const harness = useAuthenticatedHarness();
  let company: CompanyView;
  beforeEach(async () => {
    company = await harness.build.company();
  });

  const path = (id = '') => `/api/companies/${company.id}/members${id && `/${id}`}`;
  const list = async (): Promise<MemberView[]> =>
    (await harness.founding.get(path()).expect(200)).body;
  const ownMembership = async () =>
    (await list()).find((member) => member.userId === harness.founder.id) as MemberView;

  it('appear in the list for every member, with the founder as owner', async () => {
    const viewer = await harness.operator(company.id, 'viewer');
    const { body } = await harness.as(viewer).get(path()).expect(200);
    expect(body).toEqual([
      {
        id: expect.any(String),
        companyId: company.id,
        userId: viewer.id,
        email: viewer.email,
        name: expect.stringMatching(/^viewer/),
        role: 'viewer',
        createdAt: expect.stringMatching(/Z$/),
        updatedAt: expect.stringMatching(/Z$/),
      },
      expect.objectContaining({ userId: harness.founder.id, role: 'owner' }),
    ]);
    expect(JSON.stringify(body)).not.toContain('$2b$');
    const seen = await walkPages<MemberView>({ api: harness.founding } as never, path(), 1);
    expect(seen).toEqual(body);
  });

  it('can be assigned another role, which applies from the next request', async () => {
    const someone = await harness.operator(company.id, 'viewer');
    const [member] = await list();
    const board = harness.as(someone);
    const write = () => board.post(`/api/companies/${company.id}/issues`).send({ title: 'x' });
    await write().expect(403);
    const changed = await harness.founding
      .patch(path(member?.id))
      .send({ role: 'operator' })
      .expect(200);
    expect(changed.body).toMatchObject({ id: member?.id, role: 'operator' });
    await write().expect(201);
    const before = await everything(harness);
    await harness.founding.patch(path(member?.id)).send({ role: 'operator' }).expect(200);
    expect(await everything(harness)).toEqual(before);
    await harness.founding.patch(path(member?.id)).send({ role: 'viewer' }).expect(200);
    await write().expect(403);
  });

  it('immediately lose access to this company when they are removed, but to no other company', async () => {
    const someone = await harness.operator(company.id);
    const other = await harness.build.company();
    await harness.join(someone, other.id, 'operator');
    const [member] = await list();
    const board = harness.as(someone);
    await board.get(`/api/companies/${company.id}`).expect(200);
    await harness.founding.delete(path(member?.id)).expect(204);
    const refused = await board.get(`/api/companies/${company.id}`).expect(403);
    expect(refused.body.code).toBe('cross_company');
    const { body } = await board.get('/api/companies').expect(200);
    expect(body.map((row: CompanyView) => row.id)).toEqual([other.id]);
    await harness.founding.delete(path(member?.id)).expect(404);
  });

  it('always include an owner: the last owner cannot be removed or demoted', async () => {
    const { id } = await ownMembership();
    const before = await everything(harness);
    for (const refused of [
      harness.founding.delete(path(id)),
      harness.founding.patch(path(id)).send({ role: 'operator' }),
      harness.founding.patch(path(id)).send({ role: 'viewer' }),
    ]) {
      expect((await refused.expect(409)).body.details).toEqual({ reason: 'last_owner' });
    }
    expect(await everything(harness)).toEqual(before);
    await harness.founding.patch(path(id)).send({ role: 'owner' }).expect(200);
  });

  it('still include an owner after all owners try to leave concurrently', async () => {
    for (let round = 0; round < 10; round++) {
      company = await harness.build.company();
      const first = await ownMembership();
      const partner = await harness.operator(company.id, 'owner');
      const second = (await list()).find((member) => member.userId === partner.id);
      const board = harness.as(partner);
      const attempts = [
        harness.founding.delete(path(second?.id)),
        board.delete(path(first.id)),
        board.patch(path(first.id)).send({ role: 'viewer' }),
        harness.founding.patch(path(first.id)).send({ role: 'operator' }),
      ];
      const [one, other] = await Promise.all([attempts[round % 4], attempts[(round + 1) % 4]]);
      const owners = await harness.db.membership.count({
        where: { companyId: company.id, role: 'owner' },
      });
      const refused = [one?.status, other?.status].filter((status) => Number(status) >= 400);
      expect({ owners: owners >= 1, refused: refused.length <= 1 }).toEqual({
        owners: true,
        refused: true,
      });
    }
  });

  it('cannot be changed with a malformed body or an unknown id', async () => {
    const { id } = await ownMembership();
    for (const [body, field] of [
      [{}, 'role'],
      [{ role: 'admin' }, 'role'],
      [{ role: 'owner', email: 'x' }, 'email'],
    ] as const) {
      const refused = await harness.founding.patch(path(id)).send(body).expect(400);
      expect(refused.body.details[0].path).toEqual([field]);
    }
    for (const unknown of [newId(), 'x']) {
      await harness.founding.patch(path(unknown)).send({ role: 'viewer' }).expect(404);
      await harness.founding.delete(path(unknown)).expect(404);
    }
    const elsewhere = await harness.build.company();
    const foreign = `/api/companies/${elsewhere.id}/members/${id}`;
    await harness.founding.delete(foreign).expect(404);
    expect((await ownMembership()).role).toBe('owner');
  });
});

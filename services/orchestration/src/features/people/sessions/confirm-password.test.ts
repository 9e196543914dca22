import {
  type Operator,
  PASSWORD,
  SIGN_IN,
  useAuthenticatedHarness,
} from '../../../../test/authenticated-harness';
import { everything } from '../../../../test/everything';

describe('a change that requires a recent sign-in', () => {
  const harness = useAuthenticatedHarness();
  const setUp = async () => {
    const { id: companyId } = await harness.build.company();
    const owner = await harness.operator(companyId, 'owner');
    const { id: agentId } = await harness.build.agent({ companyId });
    const colleague = await harness.operator(companyId, 'viewer');
    const { id: memberId } = await harness.db.membership.findFirstOrThrow({
      where: { userId: colleague.id },
    });
    const board = harness.as(owner);
    const at = `/api/companies/${companyId}`;
    const changes = {
      token: () =>
        board.post('/api/auth/tokens').send({ name: 'x', scope: 'read', expiresInDays: 1 }),
      invite: () => board.post(`${at}/invites`).send({ role: 'owner' }),
      operator: () => board.post(`${at}/invites`).send({ role: 'operator' }),
      key: () => board.post(`/api/agents/${agentId}/keys`).send({ name: 'x' }),
      runner: () => board.post(`${at}/runners`).send({ name: 'Desk' }),
      owner: () => board.patch(`${at}/members/${memberId}`).send({ role: 'owner' }),
    };
    return { owner, board, at, changes };
  };
  const age = ({ id: userId }: Operator) =>
    harness.db.session.updateMany({
      where: { userId },
      data: { createdAt: new Date(Date.now() - 11 * 60_000) },
    });

  it('fails in an older session until the person confirms the password', async () => {
    const { owner, board, changes } = await setUp();
    await age(owner);
    const before = await everything(harness);
    for (const change of Object.values(changes)) {
      const refused = await change().expect(403);
      expect(refused.body.code).toBe('recent_sign_in_required');
    }
    expect(await everything(harness)).toEqual(before);
    await board.post('/api/auth/confirm').send({ password: PASSWORD }).expect(204, '');
    for (const change of Object.values(changes)) expect((await change()).status).toBeLessThan(300);
    await harness.db.session.updateMany({
      where: { userId: owner.id },
      data: { confirmedAt: new Date(Date.now() - 11 * 60_000) },
    });
    await changes.invite().expect(403);
  });

  it('succeeds soon after the sign-in, while other changes succeed at any later time', async () => {
    const { owner, board, at, changes } = await setUp();
    await changes.token().expect(201);
    await age(owner);
    await board.post(`${at}/invites`).send({ role: 'viewer' }).expect(201);
    await board.get('/api/auth/tokens').expect(200);
  });

  it('must be confirmed in each session, where a wrong password counts as a failed sign-in', async () => {
    const { owner, board, changes } = await setUp();
    const elsewhere = await harness.logIn(owner);
    expect(elsewhere.status).toBe(200);
    await age(owner);
    await board.post('/api/auth/confirm').send({ password: PASSWORD }).expect(204);
    const confirmed = await harness.db.session.count({
      where: { userId: owner.id, confirmedAt: { not: null } },
    });
    expect(confirmed).toBe(1);
    await changes.invite().expect(201);
    await board.post('/api/auth/confirm').send({}).expect(400);
    await harness.api.post('/api/auth/confirm').send({ password: PASSWORD }).expect(401);
    for (let at = 0; at < SIGN_IN.throttle.perAccountAndAddress; at++) {
      const refused = await board.post('/api/auth/confirm').send({ password: `wrong ${at}` });
      expect([refused.status, refused.body.code]).toEqual([403, 'wrong_password']);
    }
    await board.post('/api/auth/confirm').send({ password: PASSWORD }).expect(429);
  });
});

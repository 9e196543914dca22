import type { Operator } from '../../../../test/authenticated-harness';
import { usePeopleAtWork } from '../../../../test/people-at-work';

describe('people and checked-out issues', () => {
  const people = usePeopleAtWork();
  const { harness, asAda, make, patch, checkout, checkoutByAgent, activityOf } = people;

  describe('an issue that a person has checked out', () => {
    const hold = async () => {
      const issue = await make();
      await checkout(issue.id).expect(200);
      return issue;
    };

    it('can be released by any person, but not by an agent', async () => {
      const issue = await hold();
      const run = await harness.build.liveRun({ companyId: people.company.id });
      const release = `/api/issues/${issue.id}/release`;
      const refused = await harness.api
        .post(release)
        .set('Authorization', run.authorization)
        .expect(409);
      expect(refused.body).toMatchObject({
        code: 'not_owner',
        details: { assigneeUserId: people.ada.id },
      });
      const { body } = await harness.as(people.grace).post(release).expect(200);
      expect(body).toMatchObject({
        status: 'todo',
        assigneeUserId: null,
        checkoutUserId: null,
        checkedOutAt: null,
      });
      expect((await activityOf(issue.id))[0]).toMatchObject({
        action: 'issue.released',
        details: { from: people.ada.id },
      });
      expect((await checkoutByAgent(issue.id)).status).toBe(200);
    });

    it.each(['in_review', 'blocked', 'cancelled'])(
      'loses its lock when its status changes to %s',
      async (status) => {
        const issue = await hold();
        const { body } = await patch(issue.id, { status }).expect(200);
        expect(body).toMatchObject({ status, assigneeUserId: people.ada.id, checkoutUserId: null });
      },
    );

    it('loses its lock when it is reassigned, and regains the lock when its assignee resumes it after a review', async () => {
      const issue = await hold();
      const agent = await harness.build.agent({ companyId: people.company.id });
      const given = await patch(issue.id, { assigneeAgentId: agent.id }).expect(200);
      expect(given.body).toMatchObject({
        status: 'in_progress',
        assigneeAgentId: agent.id,
        checkoutUserId: null,
        checkedOutAt: null,
      });
      const own = await hold();
      await patch(own.id, { status: 'in_review' }).expect(200);
      const back = await patch(own.id, { status: 'in_progress' }).expect(200);
      expect(back.body).toMatchObject({
        checkoutUserId: people.ada.id,
        checkedOutAt: expect.any(String),
      });
      await patch(own.id, { status: 'in_review' }).expect(200);
      const passed = await patch(own.id, {
        status: 'in_progress',
        assigneeUserId: people.grace.id,
      });
      expect(passed.body).toMatchObject({ assigneeUserId: people.grace.id, checkoutUserId: null });
    });

    it('cannot be moved or reassigned by an agent: the response is 409', async () => {
      const issue = await hold();
      const run = await harness.build.liveRun({ companyId: people.company.id });
      for (const body of [{ status: 'blocked' }, { assigneeAgentId: run.agent.id }]) {
        const refused = await harness.api
          .patch(`/api/issues/${issue.id}`)
          .set('Authorization', run.authorization)
          .send(body)
          .expect(409);
        expect(refused.body).toMatchObject({
          code: 'checked_out',
          details: { checkoutUserId: people.ada.id },
        });
      }
    });

    it('does not become stale after days without a change', async () => {
      const { id: companyId } = await harness.build.company();
      const someone = await harness.operator(companyId);
      const issue = await harness.build.issue({ companyId, status: 'todo' });
      const path = `/api/issues/${issue.id}/checkout`;
      await harness
        .as(someone)
        .post(path)
        .send({ expectedStatuses: ['todo'] })
        .expect(200);
      const age = "UPDATE issue SET updated_at = now() - interval '3 days' WHERE id = $1";
      await harness.context.db.pool.query(age, [issue.id]);
      const { body } = await harness.as(someone).get(`/api/companies/${companyId}/dashboard`);
      expect(body.issues).toMatchObject({ stale: 0, byStatus: { in_progress: 1 } });
    });
  });

  describe('removing a member', () => {
    const remove = async (someone: Operator) => {
      const { id } = await harness.db.membership.findFirstOrThrow({
        where: { companyId: people.company.id, userId: someone.id },
      });
      return harness.founding.delete(`/api/companies/${people.company.id}/members/${id}`);
    };

    it('unassigns the member from open issues, and records an activity for each issue', async () => {
      const leaving = await harness.operator(people.company.id);
      const held = await make();
      await harness
        .as(leaving)
        .post(`/api/issues/${held.id}/checkout`)
        .send({ expectedStatuses: ['todo'] })
        .expect(200);
      const given = await make({ status: 'blocked' });
      await patch(given.id, { assigneeUserId: leaving.id }).expect(200);
      const over = await make();
      await patch(over.id, { assigneeUserId: leaving.id, status: 'cancelled' }).expect(200);
      expect((await remove(leaving)).status).toBe(204);
      const read = async (id: string) => (await asAda().get(`/api/issues/${id}`)).body;
      expect(await read(held.id)).toMatchObject({
        status: 'todo',
        assigneeUserId: null,
        checkoutUserId: null,
        checkedOutAt: null,
      });
      expect(await read(given.id)).toMatchObject({ status: 'blocked', assigneeUserId: null });
      expect(await read(over.id)).toMatchObject({ assigneeUserId: leaving.id });
      for (const [id, from, to] of [
        [held.id, 'in_progress', 'todo'],
        [given.id, 'blocked', 'blocked'],
      ]) {
        expect((await activityOf(id as string))[0]).toMatchObject({
          action: 'issue.unassigned',
          details: { userId: leaving.id, from, to, reason: 'member_removed' },
        });
      }
      expect((await checkoutByAgent(held.id)).status).toBe(200);
    });

    it('unassigns the member even from issues that are assigned concurrently', async () => {
      for (let round = 0; round < 5; round++) {
        const leaving = await harness.operator(people.company.id);
        const issues = await Promise.all(Array.from({ length: 4 }, () => make()));
        const [removed, ...given] = await Promise.all([
          remove(leaving),
          ...issues.map(({ id }) => patch(id, { assigneeUserId: leaving.id })),
          asAda()
            .post(`/api/companies/${people.company.id}/issues`)
            .send({ title: 'Look', assigneeUserId: leaving.id }),
        ]);
        expect(removed?.status).toBe(204);
        for (const { status } of given) expect([200, 201, 422]).toContain(status);
        const left = { companyId: people.company.id, assigneeUserId: leaving.id };
        expect(await harness.db.issue.count({ where: left })).toBe(0);
      }
    });
  });
});

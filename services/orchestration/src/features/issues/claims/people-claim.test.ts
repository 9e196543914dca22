import { newId } from '@switchyard/db';
import type { IssueView } from '@switchyard/types';
import type { Operator } from '../../../../test/authenticated-harness';
import { everything } from '../../../../test/everything';
import { usePeopleAtWork } from '../../../../test/people-at-work';
import { walkPages } from '../../../../test/walk-pages';

describe('people as assignees', () => {
  const people = usePeopleAtWork();
  const { harness, asAda, make, patch, checkout, checkoutByAgent, activityOf } = people;
  const rowOf = (id: string) => harness.db.issue.findUniqueOrThrow({ where: { id } });

  describe('assigneeUserId', () => {
    it('accepts an id or `me`, on create and on update', async () => {
      const created = await asAda()
        .post(`/api/companies/${people.company.id}/issues`)
        .send({ title: 'Look', assigneeUserId: 'me' })
        .expect(201);
      expect(created.body).toMatchObject({
        assigneeUserId: people.ada.id,
        assigneeAgentId: null,
        checkoutUserId: null,
      });
      const given = await patch(created.body.id, { assigneeUserId: people.grace.id.toUpperCase() });
      expect(given.body).toMatchObject({ assigneeUserId: people.grace.id, status: 'backlog' });
      expect((await activityOf(created.body.id))[0]).toMatchObject({
        action: 'issue.updated',
        details: { changed: ['assigneeUserId'] },
      });
      const read = await asAda().get(`/api/issues/${created.body.id}`).expect(200);
      expect(read.body.assigneeUserId).toBe(people.grace.id);
      const none = await patch(created.body.id, { assigneeUserId: null }).expect(200);
      expect(none.body.assigneeUserId).toBeNull();
    });

    it('replaces an agent as assignee, and can itself be replaced by an agent', async () => {
      const agent = await harness.build.agent({ companyId: people.company.id });
      const issue = await make({ assigneeAgentId: agent.id });
      const ours = await patch(issue.id, { assigneeUserId: 'me' }).expect(200);
      expect(ours.body).toMatchObject({ assigneeAgentId: null, assigneeUserId: people.ada.id });
      const theirs = await patch(issue.id, { assigneeAgentId: agent.id }).expect(200);
      expect(theirs.body).toMatchObject({ assigneeAgentId: agent.id, assigneeUserId: null });
      const both = { assigneeAgentId: agent.id, assigneeUserId: 'me' };
      const refused = await patch(issue.id, both).expect(400);
      expect(refused.body.details).toMatchObject([{ path: ['assigneeUserId'] }]);
      await patch(issue.id, { assigneeAgentId: null, assigneeUserId: 'me' }).expect(200);
    });

    it('must name a member of the company', async () => {
      const issue = await make();
      const stranger = await harness.operator();
      const elsewhere = await harness.operator((await harness.build.company()).id);
      const before = await everything(harness);
      for (const assigneeUserId of [stranger.id, elsewhere.id, newId()]) {
        const { body } = await patch(issue.id, { assigneeUserId }).expect(422);
        expect(body).toMatchObject({
          code: 'unknown_reference',
          details: { field: 'assigneeUserId' },
        });
        await asAda()
          .post(`/api/companies/${people.company.id}/issues`)
          .send({ title: 'Look', assigneeUserId })
          .expect(422);
      }
      const local = await patch(issue.id, { assigneeUserId: 'local-board' }).expect(422);
      expect(local.body.error).toContain('local trusted mode');
      for (const assigneeUserId of ['ada', '', 7, people.ada.email, `${people.ada.id}'`]) {
        const { body } = await patch(issue.id, { assigneeUserId }).expect(400);
        expect(body.details).toMatchObject([{ path: ['assigneeUserId'] }]);
      }
      expect(await everything(harness)).toEqual(before);
    });

    it('filters the list by id or by `me`, while unassigned=true omits issues assigned to people', async () => {
      const { id: companyId } = await harness.build.company();
      const [own, other] = [await harness.operator(companyId), await harness.operator(companyId)];
      const issue = async (assigneeUserId: string | null) =>
        (await harness.build.issue({ companyId, status: 'todo', assigneeUserId })).id;
      const owns = [await issue(own.id), await issue(own.id), await issue(own.id)];
      const others = await issue(other.id);
      const nobodys = await issue(null);
      const path = `/api/companies/${companyId}/issues`;
      const list = async (query: object) => {
        const { body } = await harness.as(own).get(path).query(query).expect(200);
        return body.map((row: IssueView) => row.id);
      };
      expect(await list({ assigneeUserId: 'me' })).toEqual(owns);
      expect(await list({ assigneeUserId: own.id.toUpperCase(), status: 'todo' })).toEqual(owns);
      expect(await list({ assigneeUserId: own.id, sort: 'created' })).toEqual([...owns].reverse());
      expect(await list({ assigneeUserId: other.id })).toEqual([others]);
      expect(await list({ assigneeUserId: own.id, status: 'done' })).toEqual([]);
      expect(await list({ unassigned: 'true' })).toEqual([nobodys]);
      const api = { api: harness.as(own) } as never;
      const seen = await walkPages<IssueView>(api, `${path}?assigneeUserId=me`, 1);
      expect(seen.map(({ id }) => id)).toEqual(owns);
      for (const query of [
        { assigneeUserId: 'x' },
        { assigneeUserId: own.id, unassigned: 'true' },
      ]) {
        await harness.as(own).get(path).query(query).expect(400);
      }
      const run = await harness.build.liveRun({ companyId });
      const asAgent = () => harness.api.get(path).set('Authorization', run.authorization);
      await asAgent().query({ assigneeUserId: 'me' }).expect(422);
      expect((await asAgent().query({ assigneeUserId: own.id }).expect(200)).body).toHaveLength(3);
    });

    it('cannot refer to a non-member, even by a direct write to the database', async () => {
      const issue = await make();
      const { pool } = harness.context.db;
      const set = (columns: string, values: unknown[]) =>
        pool.query(`UPDATE issue SET ${columns} WHERE id = '${issue.id}'`, values);
      await expect(set('assignee_user_id = $1', [newId()])).rejects.toThrow(/no member/);
      const agent = await harness.build.agent({ companyId: people.company.id });
      await expect(
        set('assignee_user_id = $1, assignee_agent_id = $2', [people.ada.id, agent.id]),
      ).rejects.toThrow(/issue_assignee_check/);
      await expect(
        set('assignee_user_id = $1, checkout_user_id = $1', [people.ada.id]),
      ).rejects.toThrow(/issue_hold_check/);
    });

    it('can be set by an agent that hands an issue back to a person', async () => {
      const run = await harness.build.liveRun({ companyId: people.company.id });
      const issue = await make();
      const call = (body: object) =>
        harness.api
          .patch(`/api/issues/${issue.id}`)
          .set('Authorization', run.authorization)
          .send(body);
      const claim = { agentId: run.agent.id, expectedStatuses: ['todo'] };
      await harness.api
        .post(`/api/issues/${issue.id}/checkout`)
        .set('Authorization', run.authorization)
        .send(claim)
        .expect(200);
      expect((await call({ assigneeUserId: 'me' }).expect(422)).body.error).toContain('by id');
      const back = { status: 'in_review', assigneeUserId: people.ada.id, comment: 'Please look' };
      expect((await call(back).expect(200)).body).toMatchObject({
        status: 'in_review',
        assigneeAgentId: null,
        assigneeUserId: people.ada.id,
        checkoutRunId: null,
      });
    });
  });

  describe('checkout by a person', () => {
    it('succeeds once, and then makes an agent’s 409 response name the person', async () => {
      const issue = await make();
      const { body: claimed } = await checkout(issue.id).expect(200);
      expect(claimed).toMatchObject({
        status: 'in_progress',
        assigneeUserId: people.ada.id,
        checkoutUserId: people.ada.id,
        assigneeAgentId: null,
        checkoutRunId: null,
        checkedOutAt: expect.any(String),
        started_at: expect.any(String),
      });
      const before = await rowOf(issue.id);
      expect((await checkout(issue.id, { expectedStatuses: ['done'] }).expect(200)).body).toEqual(
        claimed,
      );
      for (const expected of [['todo'], ['in_progress']]) {
        const { status, body } = await checkoutByAgent(issue.id, expected);
        expect(status).toBe(409);
        const { name } = await harness.db.person.findUniqueOrThrow({
          where: { id: people.ada.id },
        });
        expect(body).toMatchObject({
          code: 'checked_out',
          error: expect.stringContaining(name),
          details: {
            reason: 'owned_by_person',
            assigneeUserId: people.ada.id,
            checkoutUserId: people.ada.id,
            retry: false,
          },
        });
      }
      expect(await rowOf(issue.id)).toEqual(before);
      expect((await activityOf(issue.id)).map((row: { action: string }) => row.action)).toEqual([
        'issue.checked_out',
        'issue.created',
      ]);
    });

    it('returns 409 with a hint if an agent or another person has checked out the issue', async () => {
      const agent = await harness.build.agent({ companyId: people.company.id });
      const theirs = await make({ assigneeAgentId: agent.id });
      const refused = await checkout(theirs.id).expect(409);
      expect(refused.body).toMatchObject({
        error: expect.stringContaining('PATCH /api/issues/{issueId}'),
        details: { reason: 'owned_by_other_agent' },
      });
      const graces = await make();
      await patch(graces.id, { assigneeUserId: people.grace.id }).expect(200);
      expect((await checkout(graces.id).expect(409)).body.details.reason).toBe('owned_by_person');
      const done = await make({ status: 'done' });
      expect((await checkout(done.id).expect(409)).body).toMatchObject({
        code: 'status_mismatch',
        error: expect.stringContaining('reopen'),
      });
      const review = await make({ status: 'in_review' });
      const later = await checkout(review.id, { expectedStatuses: ['in_review'] }).expect(409);
      expect(later.body.error).toContain('set its status to in_progress');
    });

    it('returns 403 to a person who has no write access, and 400 to an agent that omits agentId', async () => {
      const issue = await make();
      const viewer = await harness.operator(people.company.id, 'viewer');
      const stranger = await harness.operator((await harness.build.company()).id);
      const body = { expectedStatuses: ['todo'] };
      const before = await rowOf(issue.id);
      for (const someone of [viewer, stranger]) {
        const path = `/api/issues/${issue.id}/checkout`;
        await harness.as(someone).post(path).send(body).expect(403);
      }
      const run = await harness.build.liveRun({ companyId: people.company.id });
      const withoutAgent = await harness.api
        .post(`/api/issues/${issue.id}/checkout`)
        .set('Authorization', run.authorization)
        .send(body)
        .expect(400);
      expect(withoutAgent.body.details).toMatchObject([{ path: ['agentId'] }]);
      expect(await rowOf(issue.id)).toEqual(before);
    });

    it('accepts a personal token with scope write, and assigns the issue to the token’s owner', async () => {
      const issue = await make();
      const tokenOf = async (scope: string) => {
        const { body } = await asAda().post('/api/auth/tokens').send({ name: 'x', scope });
        return `Bearer ${body.token}`;
      };
      const claim = async (scope: string) =>
        harness.api
          .post(`/api/issues/${issue.id}/checkout`)
          .set('Authorization', await tokenOf(scope))
          .send({ expectedStatuses: ['todo'] });
      expect((await claim('read')).status).toBe(403);
      expect((await claim('write')).body).toMatchObject({ checkoutUserId: people.ada.id });
      for (const verb of ['complete', 'reopen']) {
        await harness.api
          .post(`/api/issues/${issue.id}/${verb}`)
          .set('Authorization', await tokenOf('read'))
          .expect(403);
      }
    });

    it('succeeds for exactly one of many concurrent people and agents, in twenty rounds', async () => {
      const runs = await Promise.all(
        Array.from({ length: 10 }, () => harness.build.liveRun({ companyId: people.company.id })),
      );
      const members = await Promise.all(
        Array.from({ length: 10 }, () => harness.operator(people.company.id)),
      );
      for (let round = 0; round < 20; round++) {
        const issue = await make();
        const path = `/api/issues/${issue.id}/checkout`;
        const answers = await Promise.all(
          runs.flatMap((run, at) => [
            harness.api
              .post(path)
              .set('Authorization', run.authorization)
              .send({ agentId: run.agent.id, expectedStatuses: ['todo', 'in_progress'] }),
            harness
              .as(members[at] as Operator)
              .post(path)
              .send({ expectedStatuses: ['todo', 'in_progress'] }),
          ]),
        );
        const won = answers.filter(({ status }) => status === 200);
        expect(won).toHaveLength(1);
        expect(answers.filter(({ status }) => status === 409)).toHaveLength(19);
        const { body: read } = await asAda().get(`/api/issues/${issue.id}`);
        expect(read).toMatchObject(won[0]?.body);
        expect(read.checkoutUserId).toBe(read.assigneeUserId);
        expect(read.checkoutRunId === null).toBe(read.assigneeUserId !== null);
      }
    });

    it('takes over an assigned issue from an ended run, but returns 409 while the run is live', async () => {
      const run = await harness.build.liveRun({ companyId: people.company.id });
      const issue = await make();
      await harness.api
        .post(`/api/issues/${issue.id}/checkout`)
        .set('Authorization', run.authorization)
        .send({ agentId: run.agent.id, expectedStatuses: ['todo'] })
        .expect(200);
      const given = await patch(issue.id, { assigneeUserId: 'me' }).expect(200);
      expect(given.body).toMatchObject({ assigneeUserId: people.ada.id, checkoutRunId: run.id });
      const take = () => checkout(issue.id, { expectedStatuses: ['in_progress'] });
      expect((await take().expect(409)).body.details.reason).toBe('owned_by_other_agent');
      await harness.build.endLiveRun(run.id);
      expect((await take().expect(200)).body).toMatchObject({
        checkoutUserId: people.ada.id,
        checkoutRunId: null,
      });
    });
  });
});

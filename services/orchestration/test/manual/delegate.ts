import type { Step } from './walk';

export const DELEGATION: readonly Step[] = [
  {
    title: 'create a subtask',
    walk: async ({ post, companyId, left }) => {
      const { body } = await post(`/api/companies/${companyId}/issues`, {
        title: 'A part',
        parentId: left.own,
        status: 'todo',
      }).expect(201);
      left.child = body.id;
    },
  },
  {
    title: 'delegate an assigned subtask, and read whom it wakes',
    walk: async ({ post, companyId, colleague, left }) => {
      const { body } = await post(`/api/companies/${companyId}/issues`, {
        title: 'Another part',
        parentId: left.own,
        assigneeAgentId: colleague.id,
        status: 'todo',
      }).expect(201);
      left.delegated = body.id;
      expect(body.woken).toMatchObject([{ agentId: colleague.id }]);
    },
  },
  {
    title: 'read whether its subtasks are done',
    walk: async ({ get, companyId, left }) => {
      const { body: children } = await get(
        `/api/companies/${companyId}/issues?parentId=${left.own}`,
      ).expect(200);
      expect(children).toHaveLength(2);
      const { body } = await get(`/api/issues/${left.own}`).expect(200);
      expect(body.children).toMatchObject({ total: 2 });
    },
  },
  {
    title: 'set the blockers of an issue',
    walk: async ({ patch, get, left }) => {
      await patch(`/api/issues/${left.own}`, { blockedBy: [left.delegated] }).expect(200);
      const { body } = await get(`/api/issues/${left.own}`).expect(200);
      expect(body.blockedBy).toMatchObject([{ issueId: left.delegated }]);
    },
  },
  {
    title: 'describe who can remove a blocker (unblockDescriptor)',
    notNeeded: 'the comment that comes with the status says it and can mention them',
  },
  {
    title: 'be woken when the last blocker or the last child issue ends',
    walk: async ({ board, patch, get, work, me, left }) => {
      await patch(`/api/issues/${left.own}`, { assigneeAgentId: me.id }).expect(200);
      for (const id of [left.child, left.delegated]) {
        await board.post(`/api/issues/${id}/complete`).send({}).expect(200);
      }
      await work();
      const path = `/api/companies/${me.companyId}/heartbeat-runs?agentId=${me.id}`;
      const { body } = await get(path).expect(200);
      const ends = JSON.stringify(body).match(/blockers_ended|children_ended/g);
      expect(ends).toEqual(['blockers_ended']);
    },
  },
  {
    title: "reassign a colleague's blocked issue with a comment",
    walk: async ({ board, patch, companyId, colleague, boss }) => {
      const { body } = await board
        .post(`/api/companies/${companyId}/issues`)
        .send({ title: 'Stuck', status: 'blocked', assigneeAgentId: colleague.id })
        .expect(201);
      const { body: moved } = await patch(`/api/issues/${body.id}`, {
        assigneeAgentId: boss.id,
        comment: 'You know the customer.',
      }).expect(200);
      expect(moved).toMatchObject({ assigneeAgentId: boss.id });
    },
  },
  {
    title: 'assign an issue to a person',
    walk: async ({ board, patch, companyId, left }) => {
      const { body: session } = await board.get('/api/auth/session').expect(200);
      const { body } = await patch(`/api/issues/${left.own}`, {
        assigneeUserId: session.user.id,
      }).expect(200);
      expect(body).toMatchObject({ companyId, assigneeAgentId: null });
      expect(body.assigneeUserId).toBe(session.user.id);
    },
  },
  {
    title: 'wake a colleague with a mention',
    walk: async ({ post, colleague, left }) => {
      const { body } = await post(`/api/issues/${left.own}/comments`, {
        body: '@Grace Hopper have a look.',
      }).expect(201);
      expect(body.mentions).toMatchObject([{ agentId: colleague.id }]);
    },
  },
  {
    title: 'mention a colleague with a link',
    walk: async ({ post, boss, left }) => {
      const { body } = await post(`/api/issues/${left.own}/comments`, {
        body: `[@Boss](agent://${boss.id}) have a look.`,
      }).expect(201);
      expect(body.mentions).toMatchObject([{ agentId: boss.id }]);
    },
  },
  {
    title: 'invoke another agent',
    notNeeded: 'a mention or an assignment wakes it; an agent invokes itself alone',
  },
];

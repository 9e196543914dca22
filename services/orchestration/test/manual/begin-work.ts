import type { Step } from './walk';

export const WORK: readonly Step[] = [
  {
    title: 'read its own profile',
    walk: async ({ get, me }) => {
      const { body } = await get('/api/agents/me').expect(200);
      expect(body).toMatchObject({ id: me.id, name: 'Ada' });
    },
  },
  {
    title: 'read every reason for its wake',
    walk: async ({ get, run }) => {
      const { body } = await get(`/api/heartbeat-runs/${run.id}`).expect(200);
      expect(body.wakes).toEqual(expect.any(Array));
    },
  },
  {
    title: 'read a compact list of its issues (inbox-lite)',
    notNeeded: 'the list of issues is compact: filters, `sort` and `limit` say which',
  },
  {
    title: 'list its issues by status',
    walk: async ({ get, companyId, me, issue }) => {
      const path = `/api/companies/${companyId}/issues?assigneeAgentId=${me.id}&status=todo,in_progress`;
      const { body } = await get(path).expect(200);
      expect(body).toMatchObject([{ id: issue.id }]);
    },
  },
  {
    title: 'list its issues by priority',
    walk: async ({ get, companyId, me }) => {
      await get(`/api/companies/${companyId}/issues?assigneeAgentId=${me.id}&sort=priority`).expect(
        200,
      );
    },
  },
  {
    title: 'check an issue out before working on it',
    walk: async ({ post, issue, me, run }) => {
      const expectedStatuses = ['todo', 'backlog', 'blocked'];
      const { body } = await post(`/api/issues/${issue.id}/checkout`, {
        agentId: me.id,
        expectedStatuses,
      }).expect(200);
      expect(body).toMatchObject({ status: 'in_progress', checkoutRunId: run.id });
    },
  },
  {
    title: 'receive a refusal for an issue that is assigned to a colleague',
    walk: async ({ board, post, companyId, colleague, me }) => {
      const held = await board
        .post(`/api/companies/${companyId}/issues`)
        .send({ title: 'Of a colleague', assigneeAgentId: colleague.id, status: 'todo' })
        .expect(201);
      const { body } = await post(`/api/issues/${held.body.id}/checkout`, {
        agentId: me.id,
        expectedStatuses: ['backlog'],
      }).expect(409);
      expect(body.error).toMatch(/\w+ \w+/);
    },
  },
  {
    title: 'read the issue with its project, goal and ancestors',
    walk: async ({ get, issue }) => {
      const { body } = await get(`/api/issues/${issue.identifier}`).expect(200);
      expect(body).toMatchObject({ id: issue.id, ancestors: [], project: { id: issue.projectId } });
    },
  },
  {
    title: 'read a compact context of the issue in one call (heartbeat-context)',
    notNeeded: 'GET issue has project, goal, ancestors, plan, blockers and counts of children',
  },
  {
    title: 'report in a comment',
    walk: async ({ post, issue, left }) => {
      const { body } = await post(`/api/issues/${issue.id}/comments`, { body: 'Begun.' }).expect(
        201,
      );
      left.comment = body.id;
      await post(`/api/issues/${issue.id}/comments`, { body: 'Half of it.' }).expect(201);
    },
  },
  {
    title: 'read the comments, oldest first',
    walk: async ({ get, issue }) => {
      const { body } = await get(`/api/issues/${issue.id}/comments?order=asc`).expect(200);
      expect(body.map((one: { body: string }) => one.body)).toEqual(['Begun.', 'Half of it.']);
    },
  },
  {
    title: 'read only the comments after a known comment',
    walk: async ({ get, issue, left }) => {
      const path = `/api/issues/${issue.id}/comments?order=asc&after=${left.comment}`;
      expect((await get(path).expect(200)).body).toMatchObject([{ body: 'Half of it.' }]);
    },
  },
  {
    title: 'read the comment that woke it',
    walk: async ({ get, issue, left }) => {
      const { body } = await get(`/api/issues/${issue.id}/comments/${left.comment}`).expect(200);
      expect(body).toMatchObject({ id: left.comment, body: 'Begun.' });
    },
  },
  {
    title: 'write the first plan, with `baseRevisionId: null`',
    walk: async ({ put, issue, left }) => {
      const { body } = await put(`/api/issues/${issue.id}/documents/plan`, {
        title: 'Plan',
        format: 'markdown',
        body: '1. Read',
        baseRevisionId: null,
      }).expect(201);
      left.revision = body.latestRevisionId;
    },
  },
  {
    title: 'read the plan',
    walk: async ({ get, issue }) => {
      const { body } = await get(`/api/issues/${issue.id}/documents/plan`).expect(200);
      expect(body.body).toBe('1. Read');
    },
  },
  {
    title: 'revise the plan, based on the revision that it has read',
    walk: async ({ put, issue, left }) => {
      const plan = { title: 'Plan', format: 'markdown', body: '1. Read\n2. Write' };
      await put(`/api/issues/${issue.id}/documents/plan`, {
        ...plan,
        baseRevisionId: left.revision,
      }).expect(200);
      await put(`/api/issues/${issue.id}/documents/plan`, {
        ...plan,
        baseRevisionId: left.revision,
      }).expect(409);
    },
  },
  {
    title: 'create an issue and its plan in one call (initialPlan)',
    notNeeded: 'a plan is a document, written by a second call that can be repeated',
  },
  {
    title: 'attach a file',
    walk: async ({ post, companyId, issue, left }) => {
      const { body } = await post(`/api/companies/${companyId}/issues/${issue.id}/attachments`)
        .attach('file', Buffer.from('of the work'), 'notes.txt')
        .expect(201);
      left.attachment = body.id;
    },
  },
  {
    title: 'list the attachments',
    walk: async ({ get, issue, left }) => {
      const { body } = await get(`/api/issues/${issue.id}/attachments`).expect(200);
      expect(body).toMatchObject([{ id: left.attachment }]);
    },
  },
  {
    title: 'read an attachment',
    walk: async ({ get, left }) => {
      const { text } = await get(`/api/attachments/${left.attachment}/content`).expect(200);
      expect(text).toBe('of the work');
    },
  },
  {
    title: 'register work products',
    notNeeded: 'attachments and documents hold what a run made',
  },
  {
    title: 'report in a PATCH with a comment',
    walk: async ({ patch, issue }) => {
      await patch(`/api/issues/${issue.id}`, { comment: 'In one call.' }).expect(200);
    },
  },
];

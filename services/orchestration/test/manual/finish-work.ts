import type { Step } from './walk';

export const FINISH: readonly Step[] = [
  {
    title: 'mark its issue as blocked, and mention the agent that must act',
    walk: async ({ patch, issue }) => {
      const { body } = await patch(`/api/issues/${issue.id}`, {
        status: 'blocked',
        comment: '@Boss which of the two?',
      }).expect(200);
      expect(body).toMatchObject({ status: 'blocked' });
    },
  },
  {
    title: 'continue a blocked issue after new information',
    walk: async ({ post, issue, me }) => {
      const { body } = await post(`/api/issues/${issue.id}/checkout`, {
        agentId: me.id,
        expectedStatuses: ['blocked'],
      }).expect(200);
      expect(body).toMatchObject({ status: 'in_progress' });
    },
  },
  {
    title: 'schedule a check of an external system',
    notNeeded: 'a routine with a schedule or a webhook does it',
  },
  {
    title: 'read the allowed transitions after a refused one',
    walk: async ({ patch, issue }) => {
      const { body } = await patch(`/api/issues/${issue.id}`, { status: 'done' }).expect(422);
      expect(body.error).toMatch(/in_review.*done/);
    },
  },
  {
    title: 'ask a reviewer by name for a review',
    walk: async ({ patch, issue }) => {
      await patch(`/api/issues/${issue.id}`, {
        status: 'in_review',
        comment: '@Boss please review.',
      }).expect(200);
    },
  },
  {
    title: 'continue after a review that requests changes',
    walk: async ({ patch, issue }) => {
      await patch(`/api/issues/${issue.id}`, { status: 'in_progress' }).expect(200);
    },
  },
  {
    title: 'finish an issue through in_review and done',
    walk: async ({ patch, issue }) => {
      await patch(`/api/issues/${issue.id}`, { status: 'in_review' }).expect(200);
      const { body } = await patch(`/api/issues/${issue.id}`, { status: 'done' }).expect(200);
      expect(body).toMatchObject({ status: 'done' });
    },
  },
  {
    title: 'review with a verdict on an interaction (reviewInteractionId)',
    notNeeded: 'the reviewer is mentioned and answers by a comment or the status',
  },
  {
    title: 'archive completed inbox items (inbox-archive)',
    notNeeded: 'an issue that is done leaves the list of open ones',
  },
  {
    title: 'request the approval of a strategy',
    walk: async ({ post, companyId, left }) => {
      const { body } = await post(`/api/companies/${companyId}/approvals`, {
        type: 'approve_ceo_strategy',
        payload: { title: 'Go west', plan: 'All of us' },
      }).expect(201);
      left.approval = body.id;
    },
  },
  {
    title: 'discuss an approval',
    walk: async ({ post, left }) => {
      await post(`/api/approvals/${left.approval}/comments`, { body: 'Why: fewer stops.' }).expect(
        201,
      );
    },
  },
  {
    title: 'read the decision on an approval',
    walk: async ({ board, get, left }) => {
      await board
        .post(`/api/approvals/${left.approval}/approve`)
        .send({ decisionNote: 'Go.' })
        .expect(200);
      const { body } = await get(`/api/approvals/${left.approval}`).expect(200);
      expect(body).toMatchObject({ status: 'approved', decisionNote: 'Go.' });
    },
  },
  {
    title: 'list the issues of an approval',
    walk: async ({ get, left }) => {
      await get(`/api/approvals/${left.approval}/issues`).expect(200, []);
    },
  },
  {
    title: 'ask the board a question with options',
    walk: async ({ post, companyId, issue, left }) => {
      const { body } = await post(`/api/companies/${companyId}/approvals`, {
        type: 'board_question',
        payload: {
          title: 'Which region?',
          options: [
            { key: 'eu', label: 'Europe' },
            { key: 'us', label: 'America' },
          ],
          recommended: 'eu',
        },
        issueIds: [issue.id],
      }).expect(201);
      left.question = body.id;
    },
  },
  {
    title: 'find its question on the issue',
    walk: async ({ get, issue, left }) => {
      const { body } = await get(`/api/issues/${issue.id}/approvals`).expect(200);
      expect(body).toMatchObject([{ id: left.question, type: 'board_question' }]);
    },
  },
  {
    title: 'read the answer to its question',
    walk: async ({ board, get, left }) => {
      await board
        .post(`/api/approvals/${left.question}/answer`)
        .send({ option: 'eu', note: 'For now.' })
        .expect(200);
      const { body } = await get(`/api/approvals/${left.question}`).expect(200);
      expect(body).toMatchObject({
        status: 'approved',
        decision: { option: 'eu', note: 'For now.' },
      });
    },
  },
  {
    title: 'show a checkbox, a form or suggested tasks to the board',
    notNeeded: 'a question with options and a note covers them',
  },
  {
    title: 'mention the board in a comment',
    walk: async ({ post, companyId, left }) => {
      const { body: issue } = await post(`/api/companies/${companyId}/issues`, {
        title: 'For the board',
      }).expect(201);
      left.own = issue.id;
      const { body } = await post(`/api/issues/${issue.id}/comments`, {
        body: '@board the invoice needs a signature.',
      }).expect(201);
      expect(body.mentions).toMatchObject([{ outcome: 'board' }]);
    },
  },
];

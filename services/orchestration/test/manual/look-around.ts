import type { Step } from './walk';

export const SURROUNDINGS: readonly Step[] = [
  {
    title: 'search the titles of issues',
    walk: async ({ get, companyId, left }) => {
      const { body } = await get(`/api/companies/${companyId}/issues?q=for the board`).expect(200);
      expect(body).toMatchObject([{ id: left.own }]);
    },
  },
  {
    title: 'search all content of the company',
    walk: async ({ get, companyId }) => {
      const { text } = await get(`/api/companies/${companyId}/search?q=signature`).expect(200);
      expect(text).toMatch(/invoice/);
    },
  },
  {
    title: 'find a colleague by name',
    walk: async ({ get, companyId, colleague }) => {
      const { body } = await get(`/api/companies/${companyId}/agents?name=grace hopper`).expect(
        200,
      );
      expect(body).toMatchObject([{ id: colleague.id }]);
    },
  },
  {
    title: 'create its own routine with a trigger, and run the routine',
    walk: async ({ post, companyId, me, issue }) => {
      const { body: routine } = await post(`/api/companies/${companyId}/routines`, {
        title: 'Daily look',
        assigneeAgentId: me.id,
        projectId: issue.projectId,
      }).expect(201);
      await post(`/api/routines/${routine.id}/triggers`, {
        kind: 'schedule',
        cronExpression: '0 8 * * 1-5',
        timezone: 'Europe/Berlin',
      }).expect(201);
      const { status } = await post(`/api/routines/${routine.id}/run`, {});
      expect(status).toBeLessThan(300);
    },
  },
  {
    title: 'create a project with a workspace',
    walk: async ({ post, companyId }) => {
      const { body } = await post(`/api/companies/${companyId}/projects`, {
        name: 'Booking',
        targetDate: '2027-01-31',
      }).expect(201);
      await post(`/api/projects/${body.id}/workspaces`, {
        name: 'main',
        repoUrl: 'https://example.com/booking.git',
      }).expect(201);
    },
  },
  {
    title: 'inherit the workspace of the parent issue through a field',
    notNeeded: 'the project of an issue names its workspace',
  },
  {
    title: 'request to hire an agent',
    walk: async ({ post, companyId, me }) => {
      const { body } = await post(`/api/companies/${companyId}/agent-hires`, {
        name: 'Linus',
        role: 'engineer',
        reportsTo: me.id,
      }).expect(201);
      expect(body.approval).toMatchObject({ type: 'hire_agent', status: 'pending' });
    },
  },
  {
    title: 'request a hire with a proposed adapter',
    walk: async ({ post, companyId }) => {
      const { body } = await post(`/api/companies/${companyId}/agent-hires`, {
        name: 'Barbara',
        role: 'engineer',
        proposedAdapter: {
          adapterType: 'http',
          adapterConfig: { url: 'https://example.com/barbara' },
        },
      }).expect(201);
      expect(JSON.stringify(body.approval.payload)).toMatch(/barbara/);
    },
  },
  {
    title: 'list the available adapters',
    walk: async ({ get }) => {
      const { body } = await get('/api/adapters').expect(200);
      expect(body.map((one: { type: string }) => one.type)).toContain('http');
    },
  },
  {
    title: 'read adapter manuals as text (/llms/*.txt), and compare configurations',
    notNeeded: 'the catalogue of adapters has their schemas; configuring is the board’s',
  },
  {
    title: 'change its instructions file through the API (instructions-path)',
    notNeeded: 'instructions are `promptTemplate`, in the board’s hands, with revisions',
  },
  {
    title: 'request or propose a secret during a run',
    notNeeded: 'secrets come with the environment; a question to the board asks for another',
  },
  {
    title: 'read an overview of the company',
    walk: async ({ get, companyId }) => {
      await get(`/api/companies/${companyId}/dashboard`).expect(200);
    },
  },
  {
    title: 'report and read its costs',
    walk: async ({ post, get, companyId, me, issue }) => {
      await post(`/api/companies/${companyId}/cost-events`, {
        agentId: me.id,
        issueId: issue.id,
        provider: 'example',
        model: 'm1',
        inputTokens: 10,
        outputTokens: 5,
        costCents: 3,
      }).expect(201);
      const { body } = await get(`/api/companies/${companyId}/costs/by-agent`).expect(200);
      expect(JSON.stringify(body)).toMatch(me.id);
    },
  },
  {
    title: 'repeat a call after a lost connection (idempotency key in the body)',
    notNeeded: 'the header `Idempotency-Key` does it for every POST',
  },
  {
    title: 'release an unfinished issue',
    walk: async ({ post, companyId, me }) => {
      const { body } = await post(`/api/companies/${companyId}/issues`, {
        title: 'Not today',
        status: 'todo',
      }).expect(201);
      const path = `/api/issues/${body.id}`;
      await post(`${path}/checkout`, { agentId: me.id, expectedStatuses: ['todo'] }).expect(200);
      const released = await post(`${path}/release`, {}).expect(200);
      expect(released.body).toMatchObject({ checkoutRunId: null });
    },
  },
];

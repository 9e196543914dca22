import { newId } from '@switchyard/db';
import type { GoalView, ListedProjectView, ProjectDetailView } from '@switchyard/types';
import { PROJECT_STATUSES } from '@switchyard/types';
import { everything } from '../../../test/everything';
import { useHarness } from '../../../test/harness';
import { walkPages } from '../../../test/walk-pages';
import { presentIssueCounts } from '../../lists/row-facts';

describe('project routes', () => {
  const harness = useHarness();

  const goals = async (count: number, companyId?: string) => {
    const made: GoalView[] = [];
    const company = companyId ?? (await harness.build.company()).id;
    for (let at = 0; at < count; at++) {
      made.push(await harness.build.goal({ companyId: company }));
    }
    return made.map((goal) => goal.id);
  };
  const patch = (project: { id: string }, body: object) =>
    harness.api.patch(`/api/projects/${project.id}`).send(body);

  it('set default values, and return the same project when it is read', async () => {
    const { api, build } = harness;
    const { id: companyId } = await build.company();
    const created = await api.post(`/api/companies/${companyId}/projects`).send({ name: 'Ship' });
    expect(created.status).toBe(201);
    expect(created.body).toEqual({
      id: expect.any(String),
      companyId,
      name: 'Ship',
      description: null,
      goalIds: [],
      status: 'planned',
      leadAgentId: null,
      targetDate: null,
      workspaces: [],
      createdAt: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
      updatedAt: expect.any(String),
    });
    const read = await api.get(`/api/projects/${created.body.id}`).expect(200);
    expect(read.body).toEqual(created.body);
  });

  it('accept every writable field on create and on update', async () => {
    const { api, build } = harness;
    const { id: leadAgentId, companyId } = await build.agent();
    const fields = {
      name: 'Ship',
      description: 'To the end of the world',
      goalIds: (await goals(3, companyId)).reverse(),
      status: 'in_progress',
      leadAgentId,
      targetDate: '2028-02-29',
    };
    const created = await api.post(`/api/companies/${companyId}/projects`).send(fields).expect(201);
    expect(created.body).toMatchObject(fields);
    const plain = await build.project({ companyId });
    const { body } = await patch(plain, fields).expect(200);
    expect(body).toEqual({ ...plain, ...fields, updatedAt: expect.any(String) });
    expect(body.updatedAt > plain.updatedAt).toBe(true);
  });

  it('leave absent fields unchanged and clear null fields in an update', async () => {
    const { build } = harness;
    const { id: leadAgentId, companyId } = await build.agent();
    const goalIds = await goals(1, companyId);
    const all = { description: 'x', goalIds, leadAgentId, targetDate: '2026-01-02' };
    const project = await build.project({ companyId, ...all });
    for (const field of ['description', 'leadAgentId', 'targetDate'] as const) {
      const { body } = await patch(project, { [field]: null }).expect(200);
      expect(body[field]).toBeNull();
      expect(body.goalIds).toEqual(goalIds);
    }
    for (const field of ['name', 'goalIds', 'status']) {
      const { body } = await patch(project, { [field]: null }).expect(400);
      expect(body.details[0].path).toEqual([field]);
    }
  });

  it('allow every status to change to every other status', async () => {
    for (const from of PROJECT_STATUSES) {
      for (const to of PROJECT_STATUSES) {
        const project = await harness.build.project({ status: from });
        expect((await patch(project, { status: to }).expect(200)).body.status).toBe(to);
      }
    }
  });

  it('replace all goals of a project and keep their order', async () => {
    const { api, build } = harness;
    const { id: companyId } = await build.company();
    const [a, b, c] = (await goals(3, companyId)) as [string, string, string];
    const project = await build.project({ companyId, goalIds: [b, a] });
    let last = project.updatedAt;
    for (const goalIds of [[a, b], [c, a, b], [], [b]]) {
      const { body } = await patch(project, { goalIds }).expect(200);
      expect(body.goalIds).toEqual(goalIds);
      expect(body.updatedAt > last).toBe(true);
      last = body.updatedAt;
      expect((await api.get(`/api/projects/${project.id}`)).body).toEqual(body);
    }
  });

  it('apply concurrent replacements of the goals one after another', async () => {
    const { api, build } = harness;
    const { id: companyId } = await build.company();
    const all = await goals(6, companyId);
    const project = await build.project({ companyId });
    const wanted = all.map((_, at) => [...all.slice(at), ...all.slice(0, at)]);
    const answers = await Promise.all(wanted.map((goalIds) => patch(project, { goalIds })));
    expect(answers.map((answer) => answer.body.goalIds)).toEqual(wanted);
    const { body } = await api.get(`/api/projects/${project.id}`);
    expect(wanted).toContainEqual(body.goalIds);
  });

  it('record each change, and record nothing if all values are equal', async () => {
    const { build, db } = harness;
    const { id: companyId } = await build.company();
    const goalIds = await goals(2, companyId);
    const project = await build.project({ companyId, goalIds, targetDate: '2026-01-02' });
    const { name, description, status, leadAgentId, targetDate } = project;
    const before = await everything(harness);
    const same = { name, description, status, leadAgentId, targetDate, goalIds };
    expect((await patch(project, same).expect(200)).body).toEqual(project);
    expect((await patch(project, {}).expect(200)).body).toEqual(project);
    expect(await everything(harness)).toEqual(before);

    await patch(project, { ...same, goalIds: [...goalIds].reverse(), status: 'completed' });
    const recorded = await db.activity.findMany({
      where: { entityType: 'project', entityId: project.id },
      orderBy: { sequence: 'asc' },
    });
    expect(recorded.map(({ action, details }) => ({ action, details }))).toEqual([
      { action: 'project.created', details: { name, status: 'planned' } },
      {
        action: 'project.updated',
        details: { changed: ['goalIds', 'status'], from: 'planned', to: 'completed' },
      },
    ]);
  });

  it.each([
    ['no name', {}, ['name']],
    ['a blank name', { name: ' ' }, ['name']],
    ['a NUL', { name: 'a\0b' }, ['name']],
    ['an unknown status', { name: 'x', status: 'done' }, ['status']],
    ['a date and time', { name: 'x', targetDate: '2026-01-02T00:00:00Z' }, ['targetDate']],
    ['a day that does not exist', { name: 'x', targetDate: '2026-02-29' }, ['targetDate']],
    ['the year 0', { name: 'x', targetDate: '0000-01-01' }, ['targetDate']],
    ['a lead that is not an id', { name: 'x', leadAgentId: 'x' }, ['leadAgentId']],
    ['a single goal instead of a list', { name: 'x', goalIds: newId() }, ['goalIds']],
    ['a goal that is not an id', { name: 'x', goalIds: [newId(), 'x'] }, ['goalIds', 1]],
    ['101 goals', { name: 'x', goalIds: Array.from({ length: 101 }, newId) }, ['goalIds']],
    ['an unknown key', { name: 'x', workspaces: [] }, ['workspaces']],
  ])('reject %s with 400, name the field, and change nothing', async (_, body, path) => {
    const { api, build } = harness;
    const project = await build.project();
    const before = await everything(harness);
    const create = `/api/companies/${project.companyId}/projects`;
    const created = await api.post(create).send(body).expect(400);
    expect(created.body.details[0].path).toEqual(path);
    if (Object.keys(body).length > 0) {
      expect((await patch(project, body).expect(400)).body.details[0].path).toEqual(path);
    }
    expect(await everything(harness)).toEqual(before);
  });

  it('reject a duplicate goal id, regardless of letter case', async () => {
    const project = await harness.build.project();
    const [goal] = (await goals(1, project.companyId)) as [string];
    for (const goalIds of [
      [goal, goal],
      [goal, goal.toUpperCase()],
    ]) {
      const { body } = await patch(project, { goalIds }).expect(400);
      expect(body.details[0].path).toEqual(['goalIds']);
    }
  });

  it.each(['0001-01-01', '0999-12-31', '1900-02-28', '9999-12-31'])(
    'store and return the day %s unchanged',
    async (targetDate) => {
      const { id } = await harness.build.project({ targetDate });
      expect((await harness.api.get(`/api/projects/${id}`)).body.targetDate).toBe(targetDate);
    },
  );

  it('list the projects of one company newest first, without large texts or workspaces', async () => {
    const { api, build } = harness;
    const { id: companyId } = await build.company();
    await build.project();
    const made: ProjectDetailView[] = [];
    for (let at = 0; at < 5; at++) {
      const goalIds = await goals(at, companyId);
      const fields = { description: 'long', goalIds, workspace: { cwd: '/srv' } };
      made.unshift(await build.project({ companyId, ...fields }));
    }
    const path = `/api/companies/${companyId}/projects`;
    const between = () => build.project({ companyId });
    const seen = await walkPages<ListedProjectView>(harness, path, 2, between);
    const facts = { leadName: null, issueCounts: presentIssueCounts(null) };
    expect(seen).toEqual(
      made.map(({ description, workspaces, ...project }) => ({
        ...project,
        ...facts,
        descriptionExcerpt: description,
        workspaceCount: workspaces.length,
      })),
    );
    for (const query of ['limit=0', 'limit=501', 'cursor=x', 'status=planned']) {
      await api.get(`${path}?${query}`).expect(400);
    }
  });

  it('execute as many SQL statements for twenty projects as for one project', async () => {
    const { api, build, context } = harness;
    const { id: companyId } = await build.company();
    const goalIds = await goals(3, companyId);
    const queries = async () => {
      const sent = jest.spyOn(context.db.pool, 'query');
      const { body } = await api.get(`/api/companies/${companyId}/projects`).expect(200);
      const count = sent.mock.calls.length;
      sent.mockRestore();
      return { count, projects: body.length as number };
    };
    await build.project({ companyId, goalIds });
    const one = await queries();
    for (let at = 1; at < 20; at++) await build.project({ companyId, goalIds });
    expect(await queries()).toEqual({ count: one.count, projects: 20 });
    expect(one.count).toBeGreaterThan(0);
  });
});

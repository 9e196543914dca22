import type { WorkspaceView } from '@switchyard/types';
import { everything } from '../../../test/everything';
import { useHarness } from '../../../test/harness';

describe('the primary workspace of a project', () => {
  const harness = useHarness();

  const add = async (projectId: string, body: object = {}) =>
    (
      await harness.api
        .post(`/api/projects/${projectId}/workspaces`)
        .send({ cwd: '/srv/ship', ...body })
        .expect(201)
    ).body as WorkspaceView;
  const at = ({ projectId, id }: WorkspaceView) => `/api/projects/${projectId}/workspaces/${id}`;
  const patch = (workspace: WorkspaceView, body: object) =>
    harness.api.patch(at(workspace)).send(body);
  const primaries = async (projectId: string) => {
    const { body } = await harness.api.get(`/api/projects/${projectId}`).expect(200);
    return (body.workspaces as WorkspaceView[])
      .filter((workspace) => workspace.isPrimary)
      .map((workspace) => workspace.id);
  };
  const setUp = async (count: number) => {
    const { id } = await harness.build.project();
    const made: WorkspaceView[] = [];
    for (let left = count; left > 0; left--) made.push(await add(id));
    return { id, workspaces: made as [WorkspaceView, ...WorkspaceView[]] };
  };

  it('defaults to the first workspace, even if the body contains isPrimary: false', async () => {
    const { id } = await harness.build.project();
    const first = await add(id, { isPrimary: false });
    expect(first.isPrimary).toBe(true);
    expect((await add(id)).isPrimary).toBe(false);
    expect((await add(id, { isPrimary: false })).isPrimary).toBe(false);
    expect(await primaries(id)).toEqual([first.id]);
  });

  it('changes when another workspace is created or updated as primary', async () => {
    const { id, workspaces } = await setUp(2);
    const [first, second] = workspaces;
    const third = await add(id, { isPrimary: true });
    expect(await primaries(id)).toEqual([third.id]);
    await patch(second as WorkspaceView, { isPrimary: true, name: 'Yard' }).expect(200);
    expect(await primaries(id)).toEqual([second?.id]);
    await patch(first, { isPrimary: false }).expect(200);
    expect(await primaries(id)).toEqual([second?.id]);
  });

  it('cannot be unset without a replacement: the request returns 422 and changes nothing', async () => {
    const { workspaces } = await setUp(2);
    const before = await everything(harness);
    const { body } = await patch(workspaces[0], { isPrimary: false, name: 'x' }).expect(422);
    expect(body).toMatchObject({ code: 'semantic_error', details: { field: 'isPrimary' } });
    expect(body.error).toContain('make another workspace primary');
    expect(await everything(harness)).toEqual(before);
  });

  it('becomes the oldest remaining workspace when the current primary workspace is deleted', async () => {
    const { api, db } = harness;
    const { id, workspaces } = await setUp(4);
    const [a, b, c, d] = workspaces as [WorkspaceView, WorkspaceView, WorkspaceView, WorkspaceView];
    await patch(c, { isPrimary: true }).expect(200);
    await api.delete(at(c)).expect(204);
    expect(await primaries(id)).toEqual([a.id]);
    await api.delete(at(b)).expect(204);
    expect(await primaries(id)).toEqual([a.id]);
    await api.delete(at(a)).expect(204);
    expect(await primaries(id)).toEqual([d.id]);
    const recorded = await db.activity.findFirstOrThrow({
      where: { action: 'workspace.deleted', entityId: a.id },
    });
    expect(recorded.details).toMatchObject({ primaryId: d.id });
    await api.delete(at(d)).expect(204);
    expect(await primaries(id)).toEqual([]);
    await api.delete(at(d)).expect(404);
    const next = await add(id);
    expect(next.isPrimary).toBe(true);
  });

  it('remains unique when several workspaces become primary concurrently', async () => {
    const { id, workspaces } = await setUp(8);
    for (let round = 0; round < 8; round++) {
      const answers = await Promise.all([
        ...workspaces.map((workspace) => patch(workspace, { isPrimary: true })),
        harness.api.post(`/api/projects/${id}/workspaces`).send({ cwd: '/srv', isPrimary: true }),
      ]);
      const statuses = answers.map((answer) => answer.status);
      expect(statuses).toEqual([...Array(8).fill(200), 201]);
      expect(await primaries(id)).toHaveLength(1);
    }
  });

  it('remains unique when the first workspaces are created concurrently', async () => {
    for (let round = 0; round < 5; round++) {
      const { id } = await harness.build.project();
      const made = await Promise.all(Array.from({ length: 6 }, () => add(id)));
      const [primary] = made.filter((workspace) => workspace.isPrimary);
      expect(await primaries(id)).toEqual([primary?.id]);
    }
  });

  it('remains unique when primary workspaces are deleted, created and changed concurrently', async () => {
    for (let round = 0; round < 10; round++) {
      const { id, workspaces } = await setUp(5);
      const [a, b, c] = workspaces as [WorkspaceView, WorkspaceView, WorkspaceView];
      const answers = await Promise.all([
        harness.api.delete(at(a)),
        harness.api.delete(at(b)),
        patch(b, { isPrimary: true }),
        patch(c, { isPrimary: true }),
        harness.api.delete(at(a)),
      ]);
      for (const answer of answers) expect([200, 204, 404]).toContain(answer.status);
      expect(await primaries(id)).toHaveLength(1);
    }
  });
});

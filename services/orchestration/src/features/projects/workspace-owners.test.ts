import type { WorkspaceView } from '@switchyard/types';
import { useAuthenticatedHarness } from '../../../test/authenticated-harness';
import { everything } from '../../../test/everything';
import { useHarness } from '../../../test/harness';

const repoUrl = 'https://git.example.com/site.git';
const elsewhere = 'https://git.example.com/of-the-agent.git';

describe('workspaces in authenticated mode', () => {
  const harness = useAuthenticatedHarness();

  const setUp = async () => {
    const project = await harness.build.project({ workspace: { repoUrl } });
    const { companyId } = project;
    const [maker, colleague] = [
      await harness.build.liveRun({ companyId }),
      await harness.build.liveRun({ companyId }),
    ];
    const workspaces = `/api/projects/${project.id}/workspaces`;
    const as = (authorization: string) => ({
      post: (body: object) =>
        harness.api.post(workspaces).set('Authorization', authorization).send(body),
      patch: ({ id }: WorkspaceView, body: object) =>
        harness.api.patch(`${workspaces}/${id}`).set('Authorization', authorization).send(body),
      remove: ({ id }: WorkspaceView) =>
        harness.api.delete(`${workspaces}/${id}`).set('Authorization', authorization),
    });
    const ofBoard = project.workspaces[0] as WorkspaceView;
    return { ofBoard, maker: as(maker.authorization), colleague: as(colleague.authorization) };
  };

  it('cannot be changed by agents if the board created them', async () => {
    const { ofBoard, maker } = await setUp();
    const before = await everything(harness);
    for (const refused of [
      maker.patch(ofBoard, { repoRef: 'of-the-agent' }),
      maker.patch(ofBoard, { repoUrl: elsewhere }),
      maker.patch(ofBoard, { name: 'Other' }),
      maker.remove(ofBoard),
    ]) {
      const { status, body } = await refused;
      expect([status, body.code]).toEqual([403, 'not_own']);
      expect(body.error).toContain('the board');
    }
    const { status, body } = await maker.post({ repoUrl: elsewhere, isPrimary: true });
    expect([status, body]).toMatchObject([
      403,
      { code: 'board_only', details: { field: 'isPrimary' } },
    ]);
    expect(await everything(harness)).toEqual(before);
  });

  it('can be changed by the agent that created them, but not by another agent', async () => {
    const { maker, colleague } = await setUp();
    const made: WorkspaceView = (await maker.post({ repoUrl: elsewhere }).expect(201)).body;
    expect(made.isPrimary).toBe(false);
    expect((await colleague.patch(made, { repoRef: 'x' }).expect(403)).body.code).toBe('not_own');
    await colleague.remove(made).expect(403);
    await maker.patch(made, { repoRef: 'x' }).expect(200);
    const promoted = await maker.patch(made, { isPrimary: true }).expect(403);
    expect(promoted.body).toMatchObject({ code: 'board_only', details: { field: 'isPrimary' } });
    await maker.remove(made).expect(204);
  });

  it('can be made primary by an agent only if the board created no workspace', async () => {
    const { companyId } = await harness.build.project({ workspace: { repoUrl } });
    const { authorization } = await harness.build.liveRun({ companyId });
    const as = (method: 'post' | 'patch', path: string) =>
      harness.api[method](path).set('Authorization', authorization);
    const { body: project } = await as('post', `/api/companies/${companyId}/projects`)
      .send({ name: 'Own', workspace: { repoUrl } })
      .expect(201);
    const other = { repoUrl: elsewhere, isPrimary: true };
    const { body } = await as('post', `/api/projects/${project.id}/workspaces`).send(other);
    expect(body).toMatchObject(other);
    await as('patch', `/api/projects/${project.id}/workspaces/${project.workspaces[0].id}`)
      .send({ isPrimary: true })
      .expect(200);
  });

  it('can be changed by the board, even if an agent created them', async () => {
    const { ofBoard, maker } = await setUp();
    const made: WorkspaceView = (await maker.post({ repoUrl: elsewhere }).expect(201)).body;
    const at = ({ projectId, id }: WorkspaceView) => `/api/projects/${projectId}/workspaces/${id}`;
    await harness.founding.patch(at(made)).send({ isPrimary: true, repoRef: 'main' }).expect(200);
    await harness.founding.delete(at(made)).expect(204);
    await harness.founding.patch(at(ofBoard)).send({ repoRef: 'main' }).expect(200);
  });
});

describe('workspaces in local trusted mode', () => {
  const harness = useHarness();

  it('can be changed by agents, even if the board created them', async () => {
    const project = await harness.build.project({ workspace: { repoUrl } });
    const { authorization } = await harness.build.liveRun({ companyId: project.companyId });
    await harness.api
      .patch(`/api/projects/${project.id}/workspaces/${project.workspaces[0]?.id}`)
      .set('Authorization', authorization)
      .send({ repoRef: 'main' })
      .expect(200);
  });
});

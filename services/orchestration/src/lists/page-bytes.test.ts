import { newId } from '@switchyard/db';
import { useHarness } from '../../test/harness';
import { PAGE_BYTES } from './page-bytes';

const LARGE = '😀'.repeat(25_000);
const ROWS = 25;

describe('pages of rows with large texts', () => {
  const harness = useHarness();
  const get = (path: string) => harness.api.get(path).expect(200);

  const idsOf = async (path: string) => {
    const ids: string[] = [];
    const sizes: number[] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const answer = await get(`${path}?limit=500${cursor && `&cursor=${cursor}`}`);
      expect(answer.headers['x-limit']).toBe('500');
      ids.push(...answer.body.map(({ id }: { id: string }) => id));
      sizes.push(Buffer.byteLength(answer.text));
      cursor = answer.headers['x-next-cursor'];
    }
    return { ids, sizes };
  };
  const expectBounded = ({ sizes }: { sizes: number[] }, rowBytes: number) => {
    expect(Math.max(...sizes)).toBeLessThan(PAGE_BYTES + 2 * rowBytes);
    expect(sizes.length).toBeGreaterThan(1);
  };

  it('end at a byte limit in the list of comments, without lost or repeated rows', async () => {
    const issue = await harness.build.issue();
    const { companyId, id: issueId } = issue;
    const made = Array.from({ length: ROWS }, (_, at) => {
      const body = at % 2 === 0 ? LARGE : 'small';
      return { id: newId(), companyId, issueId, body, authorUserId: 'local-board' };
    });
    await harness.db.issueComment.createMany({ data: made });
    const found = await idsOf(`/api/issues/${issueId}/comments`);
    expectBounded(found, 100_000);
    expect([...found.ids].sort()).toEqual(made.map(({ id }) => id).sort());
    const few = await get(`/api/issues/${issueId}/comments?limit=3`);
    expect(few.body).toHaveLength(3);
  });

  it('end at a byte limit in the lists of approval comments, agents and config revisions', async () => {
    const { api, build, db } = harness;
    const agent = await build.agent();
    const { companyId, id: agentId } = agent;
    const asked = { type: 'approve_ceo_strategy', payload: {} };
    const at = `/api/companies/${companyId}`;
    const { body: approval } = await api.post(`${at}/approvals`).send(asked).expect(201);
    const comments = Array.from({ length: ROWS }, () => {
      const place = { id: newId(), companyId, approvalId: approval.id };
      return { ...place, body: LARGE, authorUserId: 'local-board' };
    });
    await db.approvalComment.createMany({ data: comments });
    const adapterConfig = { note: LARGE };
    const agents = Array.from({ length: ROWS }, (_, n) => {
      const name = `Agent ${n}`;
      const base = { id: newId(), companyId, name, nameKey: name, role: 'engineer' };
      return { ...base, adapterType: 'process', adapterConfig };
    });
    await db.agent.createMany({ data: agents });
    const first = await db.agentConfigRevision.findFirstOrThrow({ where: { agentId } });
    const after = { ...(first.after as object), adapterConfig };
    const revisions = Array.from({ length: ROWS }, (_, n) => {
      const base = { id: newId(), companyId, agentId, revisionNumber: n + 10 };
      return { ...base, changedKeys: [], before: after, after, source: 'patch' };
    });
    await db.agentConfigRevision.createMany({ data: revisions });
    const lists: [string, { id: string }[], number][] = [
      [`/api/approvals/${approval.id}/comments`, comments, 100_000],
      [`${at}/agents`, [...agents, agent], 100_000],
      [`/api/agents/${agentId}/config-revisions`, revisions, 200_000],
    ];
    for (const [path, made, rowBytes] of lists) {
      const found = await idsOf(path);
      expectBounded(found, rowBytes);
      expect(new Set(found.ids).size).toBe(found.ids.length);
      expect(found.ids).toEqual(expect.arrayContaining(made.map(({ id }) => id)));
    }
  });
});

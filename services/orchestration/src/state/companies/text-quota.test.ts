import { until } from '@switchyard/testing';
import { useHarness } from '../../../test/harness';

const QUOTA = 10_000;
const LONG = 'x'.repeat(4_000);
const WAITING = `
  SELECT FROM pg_stat_activity
  WHERE datname = current_database() AND cardinality(pg_blocking_pids(pid)) > 0`;

describe('the text quota of a company', () => {
  const harness = useHarness({ config: { companyTextBytes: QUOTA } });
  const { read, expectSum, fill, refused } = actions();

  it('counts issues, comments and document revisions until they are deleted', async () => {
    const { id, companyId } = await harness.build.issue({ title: 'abc', description: 'é' });
    expect(await read(companyId)).toEqual({ usedBytes: 5, limitBytes: QUOTA });
    await harness.api.patch(`/api/issues/${id}`).send({ description: null }).expect(200);
    expect((await read(companyId)).usedBytes).toBe(3);
    await harness.api.post(`/api/issues/${id}/comments`).send({ body: 'four' }).expect(201);
    expect((await read(companyId)).usedBytes).toBe(7);
    const document = `/api/issues/${id}/documents/plan`;
    const { body } = await harness.api.put(document).send({ title: 'p', body: 'one' }).expect(201);
    const next = { body: 'two', baseRevisionId: body.latestRevisionId };
    await harness.api.put(document).send(next).expect(200);
    expect((await read(companyId)).usedBytes).toBe(7 + 2 * 4);
    await expectSum(companyId);
    await harness.api.delete(document).expect(204);
    expect((await read(companyId)).usedBytes).toBe(7);
    await expectSum(companyId);
  });

  it('rejects text beyond the limit with 409 `storage_full`, and the error names the limit', async () => {
    const { id, companyId } = await fill();
    const { usedBytes } = await read(companyId);
    const company = `/api/companies/${companyId}`;
    const document = `/api/issues/${id}/documents/plan`;
    for (const request of [
      harness.api.post(`${company}/issues`).send({ title: 'Issue', description: LONG }),
      harness.api.post(`/api/issues/${id}/comments`).send({ body: LONG }),
      harness.api.patch(`/api/issues/${id}`).send({ description: LONG + LONG }),
      harness.api.patch(`/api/issues/${id}`).send({ comment: LONG }),
      harness.api.put(document).send({ body: LONG }),
      harness.api.post(`${company}/goals`).send({ title: 'Goal', description: LONG }),
      harness.api.post(`${company}/projects`).send({ name: 'Project', description: LONG }),
      harness.api
        .post(`${company}/approvals`)
        .send({ type: 'approve_ceo_strategy', payload: { text: LONG } }),
    ]) {
      const answer = await refused(request);
      expect(answer.error).toContain(`${QUOTA} bytes of text`);
      expect(answer.details).toEqual({ limitBytes: QUOTA, retry: false });
    }
    expect((await read(companyId)).usedBytes).toBe(usedBytes);
    await expectSum(companyId);
  });

  it('counts the payloads of firings, and rejects a payload beyond the limit', async () => {
    const { companyId } = await harness.build.issue({ title: 'Full', description: LONG });
    const { id } = await harness.build.routine({ companyId });
    const { publicId, secret } = await harness.build.trigger(id, { kind: 'webhook' });
    const fire = (payload: object) =>
      harness.api
        .post(`/api/routine-triggers/public/${publicId}/fire`)
        .set('Authorization', `Bearer ${secret}`)
        .send(payload);
    const run = (body: object) => harness.api.post(`/api/routines/${id}/run`).send(body);
    const before = (await read(companyId)).usedBytes;
    await fire({ text: LONG }).expect(202);
    const stored = (await read(companyId)).usedBytes;
    expect(stored - before).toBeGreaterThan(LONG.length);
    const joined = await run({}).expect(202);
    expect(joined.body.status).toBe('coalesced');
    await refused(fire({ text: LONG }));
    await refused(run({ payload: { text: LONG } }));
    expect((await read(companyId)).usedBytes).toBe(stored);
  });

  it('counts the text that a transaction removed while a change waited for it', async () => {
    const { id } = await harness.build.issue({ description: LONG + LONG });
    const shrinking = await harness.context.db.pool.connect();
    await shrinking.query(`BEGIN; UPDATE issue SET description = '' WHERE id = '${id}'`);
    const growing = harness.api.patch(`/api/issues/${id}`).send({ description: LONG + LONG });
    const answered = growing.then(({ status }) => status);
    await until('the change to wait', async () => {
      const { rows } = await harness.context.db.pool.query(WAITING);
      return rows.length > 0;
    });
    await shrinking.query('COMMIT');
    shrinking.release();
    expect(await answered).toBe(200);
  });

  it('allows changes that add no text, and text of other companies, when it is full', async () => {
    const { id } = await fill();
    await harness.api.patch(`/api/issues/${id}`).send({ status: 'todo' }).expect(200);
    await harness.api.patch(`/api/issues/${id}`).send({ description: 'short' }).expect(200);
    await harness.api.post(`/api/issues/${id}/comments`).send({ body: LONG }).expect(201);
    await harness.build.issue({ description: LONG });
  });

  it('stays exact when many writers store text concurrently', async () => {
    const { id, companyId } = await harness.build.issue({ title: 'Busy' });
    const to = `/api/issues/${id}/comments`;
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => harness.api.post(to).send({ body: LONG.slice(0, 500) })),
    );
    const stored = answers.filter(({ status }) => status === 201).length;
    expect(answers.every(({ status }) => status === 201 || status === 409)).toBe(true);
    expect(stored).toBeGreaterThanOrEqual(19);
    expect((await read(companyId)).usedBytes).toBe(4 + stored * 500);
    await expectSum(companyId);
  });

  function actions() {
    const used = async (companyId: string) =>
      (await harness.api.get(`/api/companies/${companyId}/dashboard`).expect(200)).body.text;
    return {
      read: used,
      fill: async () => {
        const issue = await harness.build.issue({ title: 'Full', description: LONG });
        await harness.api.post(`/api/issues/${issue.id}/comments`).send({ body: LONG }).expect(201);
        const body = 'y'.repeat(1_000);
        await harness.api.post(`/api/issues/${issue.id}/comments`).send({ body }).expect(201);
        return issue;
      },
      refused: async (request: ReturnType<typeof harness.api.post>) => {
        const { status, body } = await request;
        expect([status, body.code]).toEqual([409, 'storage_full']);
        return body;
      },
      expectSum: async (companyId: string) => {
        const [row] = await harness.db.$queryRaw<{ counted: bigint; sum: bigint }[]>`
          SELECT (SELECT coalesce(sum(bytes), 0)::bigint FROM company_text WHERE company_id = ${companyId}::uuid) AS counted,
            (SELECT sum(n)::bigint FROM (
              SELECT coalesce(sum(octet_length(title) + coalesce(octet_length(description), 0)), 0) AS n
                FROM issue WHERE company_id = ${companyId}::uuid
              UNION ALL SELECT coalesce(sum(octet_length(body)), 0) FROM issue_comment WHERE company_id = ${companyId}::uuid
              UNION ALL SELECT coalesce(sum(octet_length(title) + octet_length(body)), 0)
                FROM document_revision WHERE company_id = ${companyId}::uuid) parts) AS sum`;
        expect(row?.counted).toBe(row?.sum);
      },
    };
  }
});

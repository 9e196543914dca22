import { until } from '@switchyard/testing';
import { useHarness } from '../../../test/harness';
import { eventStreams } from '../events/event-streams';

describe('GET /api/issues/:issueId?wait', () => {
  const harness = useHarness();
  const waitFor = (issueId: string, query: object) =>
    harness.api.get(`/api/issues/${issueId}`).query(query);
  async function begin(issueId: string, query: object) {
    const before = eventStreams(harness.context).count();
    let isAnswered = false;
    const answer = waitFor(issueId, query).then((response) => {
      isAnswered = true;
      return response;
    });
    await until('the request to wait', () => eventStreams(harness.context).count() > before);
    return { answer, isAnswered: () => isAnswered };
  }
  const patch = (issueId: string, body: object) =>
    harness.api.patch(`/api/issues/${issueId}`).send(body).expect(200);

  it('returns when the issue ends, but not at an earlier change', async () => {
    const issue = await harness.build.issue({ status: 'todo' });
    const { answer, isAnswered } = await begin(issue.id, { wait: 60, until: 'ended' });
    await patch(issue.id, { title: 'Renamed' });
    expect(isAnswered()).toBe(false);
    await harness.api.post(`/api/issues/${issue.id}/complete`).send({}).expect(200);
    const { status, body } = await answer;
    expect([status, body.status, body.title]).toEqual([200, 'done', 'Renamed']);
    expect(eventStreams(harness.context).count()).toBe(0);
  });

  it.each([
    ['a field', (id: string) => patch(id, { title: 'Renamed' })],
    [
      'a comment',
      (id: string) => harness.api.post(`/api/issues/${id}/comments`).send({ body: 'Hello' }),
    ],
  ])(
    'with until=changed, returns after a change to %s, but not after a change to another issue',
    async (_, change) => {
      const issue = await harness.build.issue({ status: 'todo' });
      const { companyId } = issue;
      const other = await harness.build.issue({ companyId });
      const { answer, isAnswered } = await begin(issue.id, { wait: 60, until: 'changed' });
      await patch(other.id, { title: 'Other' });
      expect(isAnswered()).toBe(false);
      await change(issue.id);
      expect((await answer).body.id).toBe(issue.id);
    },
  );

  it('returns the current state at the timeout, and immediately if the issue has already ended', async () => {
    const issue = await harness.build.issue({ status: 'todo' });
    const { body } = await waitFor(issue.id, { wait: 1, until: 'ended' }).expect(200);
    expect(body.status).toBe('todo');
    const done = await harness.build.issue({ status: 'done' });
    await waitFor(done.id, { wait: 60, until: 'ended' }).expect(200);
  });

  it.each([
    [{ wait: 61 }, 'wait'],
    [{ wait: 'x' }, 'wait'],
    [{ wait: 1, until: 'tomorrow' }, 'until'],
  ])('rejects %j with 400', async (query, field) => {
    const issue = await harness.build.issue();
    const { body } = await waitFor(issue.id, query).expect(400);
    expect(body.error).toContain(field);
  });

  it('responds to all waiting requests when the issue ends', async () => {
    const issue = await harness.build.issue({ status: 'todo' });
    const { max, maxPerCompany } = eventStreams(harness.context).limits;
    const count = Math.min(max, maxPerCompany, 50) / 2;
    const answers = Array.from({ length: count }, () => waitFor(issue.id, { wait: 60 }).then());
    await until('all requests to wait', () => eventStreams(harness.context).count() === count);
    await harness.api.post(`/api/issues/${issue.id}/complete`).send({}).expect(200);
    for (const { body } of await Promise.all(answers)) expect(body.status).toBe('done');
  });
});

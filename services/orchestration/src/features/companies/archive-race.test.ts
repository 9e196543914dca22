import { until } from '@switchyard/testing';
import { useHarness } from '../../../test/harness';
import { inTransaction, systemCall } from '../../kernel/call';
import { archive } from './archive-company';

describe('archiving a company', () => {
  const harness = useHarness();

  it('rejects issues and comments that are sent before its transaction commits', async () => {
    const { id, companyId } = await harness.build.issue();
    const requests = [
      () => harness.api.post(`/api/companies/${companyId}/issues`).send({ title: 'Late' }),
      () => harness.api.post(`/api/issues/${id}/comments`).send({ body: 'late' }),
    ];
    let ended = 0;
    const waiting = async () => {
      const [row] = await harness.db.$queryRaw<{ n: number }[]>`
        SELECT count(*)::int AS n FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      return row?.n ?? 0;
    };
    const answers = await inTransaction(systemCall(harness.context, companyId), async (tx) => {
      await archive(tx);
      const sent = requests.map(async (request) => {
        const answer = await request();
        ended += 1;
        return answer;
      });
      await until('both requests', async () => ended + (await waiting()) >= 2);
      return { sent };
    });
    for (const { status, body } of await Promise.all(answers.sent)) {
      expect([status, body.code]).toEqual([409, 'company_archived']);
    }
    expect(await harness.db.issue.count({ where: { companyId } })).toBe(1);
    expect(await harness.db.issueComment.count({ where: { companyId } })).toBe(0);
  });
});

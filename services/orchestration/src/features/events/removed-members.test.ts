import { until } from '@switchyard/testing';
import type { MemberView } from '@switchyard/types';
import { useAuthenticatedHarness } from '../../../test/authenticated-harness';
import { openChangeClient } from '../../../test/change-client';
import { openEventClient } from '../../../test/event-client';

const NEVER_MS = 3_600_000;

describe('the event streams of a removed member', () => {
  const eventStreams = {
    max: 100,
    maxPerCompany: 20,
    maxPerCaller: 20,
    heartbeatMs: 50,
    recheckMs: NEVER_MS,
    pollMs: 2_000,
    stallMs: 30_000,
  };
  const harness = useAuthenticatedHarness({ config: { eventStreams } });

  it('end before they send any event that occurred after the removal', async () => {
    const { build, founding } = harness;
    const company = await build.company();
    const at = `/api/companies/${company.id}`;
    const [leaving, staying] = [
      await harness.operator(company.id),
      await harness.operator(company.id),
    ];
    const made = { name: 'a program', scope: 'read' };
    const token = await harness.as(leaving).post('/api/auth/tokens').send(made).expect(201);
    const bearer = { Authorization: `Bearer ${token.body.token}` };
    const open = (headers: Record<string, string>) => [
      openEventClient(harness.url, company.id, headers),
      openChangeClient(harness.url, company.id, { headers }),
    ];
    const own = await Promise.all([...open({ cookie: leaving.cookie }), ...open(bearer)]);
    const others = await Promise.all(open({ cookie: staying.cookie }));
    expect([...own, ...others].map(({ status }) => status)).toEqual(Array(6).fill(200));
    const before = await build.issue({ companyId: company.id });
    for (const client of [...own, ...others]) {
      await until('the first issue', () => client.text().includes(before.id));
    }
    const { body } = await founding.get(`${at}/members`).expect(200);
    const { id } = body.find(({ userId }: MemberView) => userId === leaving.id);
    await founding.delete(`${at}/members/${id}`).expect(204);
    const after = await build.issue({ companyId: company.id });
    for (const client of own) {
      await client.ended;
      expect(client.text()).not.toContain(after.id);
    }
    for (const client of others) {
      await until('the second issue', () => client.text().includes(after.id));
      client.close();
    }
  });
});

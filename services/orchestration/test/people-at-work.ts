import type { CompanyView, IssueView } from '@switchyard/types';
import type supertest from 'supertest';
import { type Operator, useAuthenticatedHarness } from './authenticated-harness';

export function usePeopleAtWork() {
  const harness = useAuthenticatedHarness();
  let company: CompanyView;
  let ada: Operator;
  let grace: Operator;

  beforeAll(async () => {
    company = await harness.build.company();
    ada = await harness.operator(company.id);
    grace = await harness.operator(company.id);
  });

  const asAda = () => harness.as(ada);
  return {
    harness,
    get company() {
      return company;
    },
    get ada() {
      return ada;
    },
    get grace() {
      return grace;
    },
    asAda,
    make: async (fields: object = {}): Promise<IssueView> =>
      harness.build.issue({ companyId: company.id, status: 'todo', ...fields }),
    patch: (id: string, body: object): supertest.Test =>
      asAda().patch(`/api/issues/${id}`).send(body),
    checkout: (id: string, body: object = {}): supertest.Test =>
      asAda()
        .post(`/api/issues/${id}/checkout`)
        .send({ expectedStatuses: ['todo'], ...body }),
    checkoutByAgent: async (
      id: string,
      expectedStatuses = ['todo'],
    ): Promise<supertest.Response> => {
      const run = await harness.build.liveRun({ companyId: company.id });
      const path = `/api/issues/${id}/checkout`;
      const body = { agentId: run.agent.id, expectedStatuses };
      return harness.api.post(path).set('Authorization', run.authorization).send(body);
    },
    activityOf: async (id: string) =>
      (await asAda().get(`/api/companies/${company.id}/activity`).query({ entityId: id })).body,
  };
}

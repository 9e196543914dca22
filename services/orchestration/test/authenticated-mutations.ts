import type supertest from 'supertest';
import type { AuthenticatedHarness } from './authenticated-harness';

type ValidCall = (harness: AuthenticatedHarness) => Promise<() => supertest.Test>;

/** A valid call for every route that changes something in authenticated mode alone. */
export const AUTHENTICATED_CALLS: Record<string, ValidCall> = {
  'POST /api/companies/:companyId/invites': async ({ build, founding }) => {
    const { id } = await build.company();
    return () => founding.post(`/api/companies/${id}/invites`).send({ role: 'viewer' });
  },
  'POST /api/auth/invites/:token/accept': async ({ api, build, founding, person }) => {
    const { id } = await build.company();
    const { body } = await founding
      .post(`/api/companies/${id}/invites`)
      .send({ role: 'viewer' })
      .expect(201);
    const { email } = await person();
    const account = { email, password: 'correct horse battery staple' };
    return () => api.post(`/api/auth/invites/${body.token}/accept`).send(account);
  },
  'PATCH /api/companies/:companyId/members/:memberId': async (harness) => {
    const { id } = await harness.build.company();
    const memberId = await harness.join(await harness.person(), id, 'viewer');
    const path = `/api/companies/${id}/members/${memberId}`;
    return () => harness.founding.patch(path).send({ role: 'operator' });
  },
  'DELETE /api/companies/:companyId/members/:memberId': async (harness) => {
    const { id } = await harness.build.company();
    const memberId = await harness.join(await harness.person(), id, 'viewer');
    return () => harness.founding.delete(`/api/companies/${id}/members/${memberId}`);
  },
};

import { ask, newId, statement } from '@switchyard/db';
import type { Tx } from '../../kernel/call';
import { assertTextFits } from '../companies/text-quota';

export interface NewApproval {
  type: string;
  payload: Record<string, unknown>;
  requestedByAgentId: string | null;
  hiredAgentId?: string;
  issueIds: string[];
}

export async function insertApproval(tx: Tx, request: NewApproval): Promise<string> {
  const { companyId, actor } = tx;
  const { type, requestedByAgentId, issueIds } = request;
  const id = newId();
  await ask(tx, insert, {
    hiredAgentId: null,
    ...request,
    id,
    companyId,
    issueIds: [...new Set(issueIds)],
    requestedByUserId: actor.type === 'board' ? actor.userId : null,
  });
  await assertTextFits(tx);
  await tx.record('approval.created', id, { type, requestedByAgentId });
  return id;
}

const insert = statement('insert-approval', {
  takes: {
    id: 'uuid',
    companyId: 'uuid',
    type: 'text',
    payload: 'json',
    hiredAgentId: 'uuid?',
    requestedByAgentId: 'uuid?',
    requestedByUserId: 'text?',
    issueIds: 'uuid[]',
  },
  gives: {},
  sql: (p) => `
    WITH made AS (
      INSERT INTO approval (id, company_id, type, payload, hired_agent_id, requested_by_agent_id, requested_by_user_id)
      VALUES (${p.id}, ${p.companyId}, ${p.type}, ${p.payload}, ${p.hiredAgentId}, ${p.requestedByAgentId},
        ${p.requestedByUserId})
    )
    INSERT INTO approval_issue (company_id, approval_id, issue_id)
    SELECT ${p.companyId}, ${p.id}, unnest(${p.issueIds})`,
});

import { ask, newId, statement } from '@switchyard/db';
import type { Tx } from '../../kernel/call';
import { assertTextFits } from '../companies/text-quota';
import { type Deadline, deadlineColumns } from './deadlines';

export interface NewApproval {
  type: string;
  payload: Record<string, unknown>;
  requestedByAgentId: string | null;
  hiredAgentId?: string;
  issueIds: string[];
  deadline: Deadline;
}

export async function insertApproval(tx: Tx, request: NewApproval): Promise<string> {
  const { companyId, actor } = tx;
  const { type, requestedByAgentId, issueIds, deadline, ...fields } = request;
  const id = newId();
  await ask(tx, insert, {
    hiredAgentId: null,
    ...fields,
    ...deadlineColumns(deadline),
    type,
    requestedByAgentId,
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
    deadlineAt: 'time?',
    onDeadline: 'json?',
    escalation: 'json',
    waitsSince: 'time',
    nextStepAt: 'time?',
  },
  gives: {},
  sql: (p) => `
    WITH made AS (
      INSERT INTO approval (id, company_id, type, payload, hired_agent_id, requested_by_agent_id, requested_by_user_id,
        deadline_at, on_deadline, escalation, waits_since, next_step_at)
      VALUES (${p.id}, ${p.companyId}, ${p.type}, ${p.payload}, ${p.hiredAgentId}, ${p.requestedByAgentId},
        ${p.requestedByUserId}, ${p.deadlineAt}, ${p.onDeadline}, ${p.escalation}, ${p.waitsSince}, ${p.nextStepAt})
    )
    INSERT INTO approval_issue (company_id, approval_id, issue_id)
    SELECT ${p.companyId}, ${p.id}, unnest(${p.issueIds})`,
});

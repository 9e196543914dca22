import { ask, statement } from '@switchyard/db';
import { invalidField, unprocessable } from '@switchyard/server';
import {
  type BoardQuestion,
  type DeadlineFields,
  LOCAL_BOARD_ID,
  type OnDeadline,
} from '@switchyard/types';
import type { Tx } from '../../../kernel/call';
import type { Deadline } from '../../../state/approvals/deadlines';
import { databaseTime } from '../../../state/database-time';

export interface Request {
  type: string;
  payload: unknown;
}

const LATEST_MS = 366 * 86_400_000;

export async function checkDeadline(
  tx: Tx,
  request: Request,
  sent: DeadlineFields,
  before: Deadline | null,
): Promise<Deadline> {
  const now = await databaseTime(tx);
  const { deadlineAt, onDeadline } = { ...(before ?? NONE), ...defined(sent) };
  if (sent.deadlineAt) assertAhead(sent.deadlineAt, now);
  if (sent.onDeadline && deadlineAt === null) {
    throw invalidField('onDeadline', 'is only valid together with deadlineAt');
  }
  if (sent.onDeadline) assertPossible(request, sent.onDeadline);
  await assertMayDecide(tx, sent);
  const kept = before ?? { ...NONE, waitsSince: new Date(now).toISOString() };
  return {
    deadlineAt: deadlineAt && new Date(deadlineAt).toISOString(),
    onDeadline: deadlineAt === null ? null : onDeadline,
    deadlinePassedAt: sent.deadlineAt === undefined ? kept.deadlinePassedAt : null,
    ...(sent.escalation
      ? {
          escalation: sent.escalation.map((step) => ({ ...step, askedAt: null })),
          waitsSince: new Date(now).toISOString(),
        }
      : { escalation: kept.escalation, waitsSince: kept.waitsSince }),
  };
}

const NONE = { deadlineAt: null, onDeadline: null, deadlinePassedAt: null, escalation: [] };

const defined = <T extends object>(fields: T): T =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;

function assertAhead(deadlineAt: string, now: number): void {
  const time = Date.parse(deadlineAt);
  if (time <= now) throw invalidField('deadlineAt', 'must be in the future');
  if (time > now + LATEST_MS) throw invalidField('deadlineAt', 'must be at most one year ahead');
}

function assertPossible({ type, payload }: Request, onDeadline: OnDeadline): void {
  if (onDeadline.action !== 'answer') return;
  if (type !== 'board_question') {
    const message = 'must be reject, ask or wait: only a board_question can be answered';
    throw invalidField(['onDeadline', 'action'], message);
  }
  const { options = [] } = payload as BoardQuestion;
  if (options.some(({ key }) => key === onDeadline.option)) return;
  throw invalidField(['onDeadline', 'option'], 'must be the key of an option of the question');
}

async function assertMayDecide(tx: Tx, { onDeadline, escalation = [] }: DeadlineFields) {
  const named = [
    ...escalation.map(({ userId }, at) => ({ userId, field: `escalation.${at}.userId` })),
    ...(onDeadline?.action === 'ask'
      ? [{ userId: onDeadline.userId, field: 'onDeadline.userId' }]
      : []),
  ].filter(({ userId }) => userId !== LOCAL_BOARD_ID);
  if (named.length === 0) return;
  const userIds = named.map(({ userId }) => userId);
  const found = await ask(tx, lockDeciders, { companyId: tx.companyId, userIds });
  const deciders = new Set(found.map(({ userId }) => userId));
  for (const { userId, field } of named) {
    if (deciders.has(userId)) continue;
    const message = `${field} must be an owner or operator of the company`;
    throw unprocessable('unknown_reference', message, { field });
  }
}

const lockDeciders = statement('lock-deciders', {
  takes: { companyId: 'uuid', userIds: 'uuid[]' },
  gives: { userId: 'uuid' },
  sql: ({ companyId, userIds }) => `
    SELECT user_id AS "userId" FROM membership
    WHERE company_id = ${companyId} AND user_id = ANY (${userIds}) AND role IN ('owner', 'operator')
    ORDER BY id FOR KEY SHARE`,
});

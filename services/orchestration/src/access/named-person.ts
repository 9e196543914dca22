import { unprocessable } from '@switchyard/server';
import { LOCAL_BOARD_ID } from '@switchyard/types';
import type { Call } from '../kernel/call';

export function namedPerson({ actor }: Call, name: string, field: string): string {
  if (name !== 'me') return name.toLowerCase();
  if (actor.type === 'board') return actor.userId;
  throw unprocessable(
    'semantic_error',
    `${field}: an agent must name a person by id; "me" is only valid for people`,
    {
      field,
    },
  );
}

/**
 * Clears the other kind of assignee when one kind, agent or person, is set.
 * @throws ApiError 422 if the caller sends `me` but is not a person
 */
export function namedAssignees<
  Body extends {
    assigneeAgentId?: string | null | undefined;
    assigneeUserId?: string | null | undefined;
  },
>(call: Call, body: Body): Body {
  const { assigneeAgentId, assigneeUserId } = body;
  if (assigneeAgentId) return { ...body, assigneeUserId: null };
  if (!assigneeUserId) return body;
  const named = namedPerson(call, assigneeUserId, 'assigneeUserId');
  if (named === LOCAL_BOARD_ID && call.context.config.authMode === 'authenticated') {
    const message = `${LOCAL_BOARD_ID} is only valid in local trusted mode: name a member`;
    throw unprocessable('semantic_error', message, { field: 'assigneeUserId' });
  }
  return { ...body, assigneeAgentId: null, assigneeUserId: named };
}

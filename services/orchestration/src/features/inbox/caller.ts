import { mayWrite } from '../../access/rules';
import type { BoardActor } from '../../kernel/actor';
import type { Call } from '../../kernel/call';

export type Look = ReturnType<typeof lookOf>;

/**
 * Hides invites in local mode, because there are none, and for a personal token, because it cannot
 * revoke one.
 */
export function lookOf({ actor, companyId, context }: Call & { actor: BoardActor }) {
  const hasInvites = context.config.authMode === 'authenticated' && !actor.token;
  return {
    companyId,
    userId: actor.userId,
    showsInvites: hasInvites && mayWrite('owner', actor, companyId),
  };
}

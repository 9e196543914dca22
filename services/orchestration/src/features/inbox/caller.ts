import type { BoardActor } from '../../access/actor';
import { mayWrite } from '../../access/rules';
import type { Call } from '../../call';

/** For whom the inbox is worked out. Local trusted mode has no invites. */
export function lookOf({ actor, companyId, context }: Call & { actor: BoardActor }) {
  const hasInvites = context.config.authMode === 'authenticated';
  return {
    companyId,
    userId: actor.userId,
    showsInvites: hasInvites && mayWrite('owner', actor, companyId),
  };
}

import { invalidField } from '@switchyard/server';
import type { Call } from '../../kernel/call';

/**
 * @throws ApiError 400 if an agent sends `true`: its comments only wake agents that they mention,
 * so that no chain begins
 */
export function assertMayWake({ actor }: Call, wake: boolean | undefined): void {
  if (wake !== true || actor.type === 'board') return;
  throw invalidField('wake', 'must be absent or false for agents; mention the agent to wake it');
}

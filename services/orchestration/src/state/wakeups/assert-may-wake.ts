import { invalidField } from '@switchyard/server';
import type { Call } from '../../kernel/call';

/**
 * Comments of agents may only wake agents that they mention, so that agents cannot start a chain of
 * wakes.
 * @throws ApiError 400 if an agent sends `true`
 */
export function assertMayWake({ actor }: Call, wake: boolean | undefined): void {
  if (wake !== true || actor.type === 'board') return;
  throw invalidField('wake', 'must be absent or false for agents; mention the agent to wake it');
}

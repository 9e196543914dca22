import { LOCAL_BOARD_ID } from '@switchyard/types';
import { type IssueState, ownerOf } from '../../../state/issues/lock-issue';

export function holderOf(state: IssueState): string {
  const userId = ownerOf(state)?.userId;
  if (!userId) return 'another agent';
  if (userId === LOCAL_BOARD_ID) return 'the board';
  return `${state.assigneeName ?? 'a person'} (person ${userId})`;
}

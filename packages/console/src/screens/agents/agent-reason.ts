import type { Schemas } from '../../data/api';
import { word } from '../../i18n';

export type ListedAgent = Schemas['ListedAgent'];

export function reasonOf(
  agent: Pick<ListedAgent, 'status' | 'pauseReason' | 'errorReason'>,
): string | undefined {
  if (agent.status === 'error') return agent.errorReason ?? undefined;
  if (agent.status !== 'paused') return undefined;
  const reason = word('pauseReason', agent.pauseReason ?? 'manual');
  return agent.errorReason ? `${reason}: ${agent.errorReason}` : reason;
}

import type { ConcurrencyPolicy } from '@switchyard/types';

export type ConcurrencyDecision =
  | { outcome: 'issue_created' }
  | { outcome: 'coalesced' | 'skipped'; activeRunId: string };

export function decideConcurrency(
  policy: ConcurrencyPolicy,
  activeRunId: string | null,
): ConcurrencyDecision {
  const outcome = WHILE_ACTIVE[policy];
  if (activeRunId === null || outcome === 'issue_created') return { outcome: 'issue_created' };
  return { outcome, activeRunId };
}

const WHILE_ACTIVE = {
  coalesce_if_active: 'coalesced',
  skip_if_active: 'skipped',
  always_enqueue: 'issue_created',
} as const;

import { type Loop, repeat } from '@switchyard/async';
import { logRepeated } from '@switchyard/server/log-repeated';
import type { Logger } from '@switchyard/server/logger';
import type { LeaseState } from '@switchyard/types';
import type { HeldRuns } from './held-runs';
import { failureFields, Refused } from './protocol/request';
import type { RunProtocol } from './protocol/run-protocol';

export interface LeaseOptions {
  protocol: RunProtocol;
  instance: string;
  runs: HeldRuns;
  logger: Logger;
  leaseMs: number;
  heartbeatMs: number;
  onUnknown(): void;
  onReplaced(refused: Refused): void;
}

/**
 * Ends no run while the server is unreachable: an expired lease stays valid until another claim
 * takes the run, and the server then reports that claim.
 */
export function renewLeases(options: LeaseOptions): Loop {
  const { protocol, instance, runs, logger, leaseMs, heartbeatMs } = options;
  let deniedSince: number | null = null;

  const renew = async (): Promise<void> => {
    const mine = runs.all();
    if (mine.length === 0) return;
    const claims = mine.map(({ claim: { runId, epoch } }) => ({ runId, epoch }));
    const renewed = await protocol.leases({ instance, runs: claims }, leaseMs);
    deniedSince = null;
    const states = new Map(renewed.runs.map(({ runId, state }) => [runId, state]));
    for (const run of mine) {
      const state: LeaseState = states.get(run.claim.runId) ?? 'lost';
      if (state !== 'held') run.abort(state);
    }
  };

  const handleRefusal = (refused: Refused): void => {
    if (refused.code === 'unknown_instance') options.onUnknown();
    else if (refused.code === 'runner_replaced') options.onReplaced(refused);
    else handleDenial(refused);
  };

  /** Abandons the runs only after `leaseMs`, because a new server may not have the token yet. */
  const handleDenial = (refused: Refused): void => {
    deniedSince ??= performance.now();
    if (performance.now() - deniedSince < leaseMs) return;
    logRepeated(
      logger,
      'error',
      'the server refuses this runner; its runs are abandoned',
      failureFields(refused),
    );
    for (const run of runs.all()) run.abort('lost');
  };

  return repeat(async () => {
    await renew().catch((error: unknown) => {
      if (error instanceof Refused) handleRefusal(error);
      else logRepeated(logger, 'warn', 'leases could not be renewed', failureFields(error));
    });
    return heartbeatMs;
  });
}

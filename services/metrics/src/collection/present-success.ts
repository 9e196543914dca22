import type { z } from 'zod';
import type { Context } from '../context';
import type { Claim } from './claim-collection';
import type { CollectRequest, collectAnswer } from './collect-request';
import type { Gathered } from './gather';
import type { Stored } from './store-collection';

/** The body of a success; without a key named `error`, which a workflow tool would take for a failure. */
export function presentSuccess(
  context: Context,
  claim: Claim,
  request: Pick<CollectRequest, 'source'>,
) {
  return (stored: Omit<Stored, 'answer'>, gathered: Gathered, finishedAt: Date): string => {
    const answer: z.output<typeof collectAnswer> = {
      status: 'success',
      collection_id: claim.collectionId,
      timestamp: finishedAt.toISOString(),
      data_points_collected: stored.dataPoints,
      storage_status: 'committed',
      dashboard_updated: stored.dashboardUpdated,
      trigger_source: request.source,
      components: gathered.components,
      simulated: context.exchange.simulated,
      duration_ms: finishedAt.getTime() - claim.capturedAt.getTime(),
    };
    return JSON.stringify(answer);
  };
}

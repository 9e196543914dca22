import type { MetricsReader } from '@switchyard/db';
import type { z } from 'zod';
import { storeCandles } from '../candles/candles';
import type { Kind, Storing } from '../kinds/kind';
import type { Resources } from '../resources';
import { recordEvents, type WebhookEvent } from '../webhooks/outbox';
import type { Claim } from './claim-collection';
import type { Components, collectResponse } from './collect-contract';
import { degradation } from './degraded';
import type { Gathered } from './gather';
import { pointDashboard } from './point-dashboard';
import { announceComponents, rememberComponents } from './remember-components';

export interface Stored {
  /** The body of the response, as it is kept for a repeated request. */
  answer: string;
  components: Components;
  dataPoints: number;
}

/**
 * All of a collection in one transaction: the snapshots of every kind, the candles, the dashboard and the
 * response itself, so that a repeated request gets the bytes of the first one.
 * @throws whatever the storage throws; nothing of the collection is kept then
 */
export async function storeCollection(
  resources: Resources,
  claim: Claim,
  gathered: Gathered,
  options: { source: string; isForDashboard: boolean },
): Promise<Stored> {
  const { clock, db, exchange } = resources;
  const { name, simulated } = exchange;
  return db.client.$transaction(
    async (tx) => {
      const series = [{ kind: 'collection', key: '', exchange: name, simulated }];
      const events: WebhookEvent[] = [];
      const announce = (event: WebhookEvent) => void events.push(event);
      const storing: Storing = {
        tx,
        announce,
        common: {
          collectionRef: claim.ref,
          capturedAt: claim.capturedAt,
          exchange: name,
          simulated,
        },
        candles: gathered.candles,
        seen: <Seen>(kind: Kind<Seen>) => (gathered.seen.get(kind as Kind) ?? []) as Seen[],
      };
      const components = { ...gathered.components };
      for (const [kind, seen] of gathered.seen) {
        const keys = await kind.store(storing, seen);
        series.push(...keys.map((key) => ({ kind: kind.name, key, exchange: name, simulated })));
        const result = components[kind.component];
        if (result) components[kind.component] = { ...result, data_points: keys.length };
      }
      await storeCandles(tx, name, gathered.candles);
      // Almost always all of them are known already.
      await tx.series.createMany({ data: series, skipDuplicates: true });
      if (options.isForDashboard) {
        await announceComponents(tx, exchange, components, announce);
        await rememberComponents(tx, claim, exchange, components);
      }
      await recordEvents(tx, resources, claim, events);
      const isShown =
        options.isForDashboard && (await pointDashboard(tx, resources, claim, components));
      const finishedAt = clock.now();
      return finish(tx, claim, finishedAt, {
        status: 'success',
        collection_id: claim.collectionId,
        timestamp: finishedAt.toISOString(),
        data_points_collected: series.length - 1,
        storage_status: 'committed',
        dashboard_updated: isShown,
        trigger_source: options.source,
        ...degradation(components),
        components,
        simulated,
        duration_ms: finishedAt.getTime() - claim.capturedAt.getTime(),
      });
    },
    { maxWait: 5_000, timeout: 10_000 },
  );
}

/** A success never has a key named `error`: a workflow tool would take it for a failure. */
async function finish(
  tx: MetricsReader,
  claim: Claim,
  finishedAt: Date,
  response: z.output<typeof collectResponse>,
): Promise<Stored> {
  const answer = JSON.stringify(response);
  // An attempt that lost its claim meanwhile must not write a second collection.
  const { count } = await tx.collection.updateMany({
    where: { id: claim.ref, attempt: claim.attempt, status: 'running' },
    data: {
      status: 'success',
      finishedAt,
      leaseUntil: null,
      durationMs: response.duration_ms,
      dataPoints: response.data_points_collected,
      storageStatus: response.storage_status,
      dashboardUpdated: response.dashboard_updated,
      components: response.components,
      answer,
      error: null,
    },
  });
  if (count !== 1) throw new OvertakenError();
  return {
    answer,
    components: response.components,
    dataPoints: response.data_points_collected,
  };
}

export class OvertakenError extends Error {
  override readonly name = 'OvertakenError';

  constructor() {
    super('this attempt was overtaken by a later one');
  }
}

import type { MetricsReader } from '@switchyard/db';
import type { z } from 'zod';
import { storeCandles } from '../candles/candles';
import type { Kind, Storing } from '../kinds/kind';
import type { Resources } from '../resources';
import { recordEvents, type WebhookEvent } from '../webhooks/outbox';
import { type Claim, ownerOf } from './claim-collection';
import type { Components, collectResponse } from './collect-contract';
import { degradation } from './degraded';
import type { Gathered } from './gather';
import { pointDashboard } from './point-dashboard';
import { announceComponents, rememberComponents } from './remember-components';
import { joinComponents } from './several-accounts';

export interface Stored {
  /** The body of the response, as it is kept for a repeated request. */
  answer: string;
  components: Components;
  dataPoints: number;
}

/** What was gathered for one account. */
export interface Part {
  resources: Resources;
  gathered: Gathered;
}

/**
 * All of a collection in one transaction: the snapshots of every kind, the candles, the dashboard and the
 * response itself, so that a repeated request gets the bytes of the first one.
 * @throws whatever the storage throws; nothing of the collection is kept then
 */
export async function storeCollection(
  resources: Resources,
  claim: Claim,
  parts: readonly Part[],
  options: { source: string; isForDashboard: boolean },
): Promise<Stored> {
  const { clock, db } = resources;
  return db.client.$transaction(
    async (tx) => {
      const { exchange: owner } = ownerOf(parts.map((part) => part.resources));
      const series = [
        { kind: 'collection', key: '', exchange: owner.name, simulated: owner.simulated },
      ];
      const results: StoredPart[] = [];
      for (const part of parts) {
        const stored = await storePart(tx, claim, part, options);
        series.push(...stored.series);
        results.push(stored);
      }
      // Almost always all of them are known already.
      await tx.series.createMany({ data: series, skipDuplicates: true });
      const { components, accounts } = componentsOf(results);
      const isShown =
        options.isForDashboard &&
        (await pointDashboard(tx, resources, claim, { components, accounts }));
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
        ...(accounts && { accounts }),
        simulated: owner.simulated,
        duration_ms: finishedAt.getTime() - claim.capturedAt.getTime(),
      });
    },
    { maxWait: 5_000, timeout: 10_000 },
  );
}

type Series = { kind: string; key: string; exchange: string; simulated: boolean };

interface StoredPart {
  account: string | null;
  simulated: boolean;
  components: Components;
  series: Series[];
}

/** What one account brought, and what there is to tell of it. */
async function storePart(
  tx: MetricsReader,
  claim: Claim,
  { gathered, resources }: Part,
  { isForDashboard }: { isForDashboard: boolean },
): Promise<StoredPart> {
  const { account, exchange } = resources;
  const { name, simulated } = exchange;
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
  const series: Series[] = [];
  for (const [kind, seen] of gathered.seen) {
    const keys = await kind.store(storing, seen);
    series.push(...keys.map((key) => ({ kind: kind.name, key, exchange: name, simulated })));
    const result = components[kind.component];
    if (result) components[kind.component] = { ...result, data_points: keys.length };
  }
  await storeCandles(tx, name, gathered.candles);
  // Of an account that must not be asked nothing is known.
  if (isForDashboard && gathered.seen.size > 0) {
    await announceComponents(tx, exchange, components, announce);
    await rememberComponents(tx, claim, exchange, components);
  }
  await recordEvents(tx, resources, claim, events);
  return { account, simulated, components, series };
}

/** Of one account its own; of several also each one's. */
function componentsOf(parts: readonly StoredPart[]) {
  const [only] = parts;
  if (only && parts.length === 1) return { components: only.components };
  const named = parts.map((part) => [String(part.account), part] as const);
  const components = joinComponents(named.map(([name, part]) => [name, part.components]));
  const accounts = Object.fromEntries(
    named.map(([name, part]) => [
      name,
      { ...degradation(part.components), simulated: part.simulated, components: part.components },
    ]),
  );
  return { components, accounts };
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

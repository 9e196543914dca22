import { inSqlTransaction, isRowRefused, type Sql } from '@switchyard/db';
import type { z } from 'zod';
import { type FetchedCandles, storeCandles } from '../candles/candles';
import { type ExchangeFailure, presentFailure } from '../exchange/failure';
import type { Kind, Storing } from '../kinds/kind';
import { storeAccount } from '../reconciliation/store-account';
import type { Resources } from '../resources';
import { recordEvents, type WebhookEvent } from '../webhooks/outbox';
import { type Claim, ownerOf } from './claim-collection';
import type { ComponentResult, Components, collectResponse } from './collect-contract';
import { broughtData, degradation } from './collect-contract';
import type { Gathered } from './gather';
import { pointDashboard } from './point-dashboard';
import { announceComponents, rememberComponents } from './remember-components';
import { createStoreApart, type StoreRows, storeTogether } from './rows/store-rows';
import { joinComponents } from './several-accounts';

export interface Stored {
  answer: string;
  components: Components;
  dataPoints: number;
}

export interface Part {
  resources: Resources;
  gathered: Gathered;
}

type Options = { source: string; isForDashboard: boolean };

/**
 * Stores a collection in one transaction: snapshots, candles, dashboard and response. A repeated
 * request gets the stored response. Leaves out and reports rows that the database rejects.
 * @throws every other database error; nothing is stored then
 */
export async function storeCollection(
  resources: Resources,
  claim: Claim,
  parts: readonly Part[],
  options: Options,
): Promise<Stored> {
  try {
    return await storeParts(resources, claim, parts, options, storeTogether);
  } catch (error) {
    if (!isRowRefused(error)) throw error;
    return storeParts(resources, claim, parts, options, createStoreApart(resources.logger));
  }
}

async function storeParts(
  resources: Resources,
  claim: Claim,
  parts: readonly Part[],
  options: Options,
  store: StoreRows,
): Promise<Stored> {
  const { clock, db } = resources;
  return inSqlTransaction(db.pool, async (tx) => {
    const { exchange: owner } = ownerOf(parts.map((part) => part.resources));
    const series = [
      { kind: 'collection', key: '', exchange: owner.name, simulated: owner.simulated },
    ];
    const results: StoredPart[] = [];
    for (const part of parts) {
      const stored = await storePart(tx, claim, part, options, store);
      series.push(...stored.series);
      results.push(stored);
    }
    await tx.query(SERIES, [JSON.stringify(series)]);
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
  });
}

const SERIES = `
  INSERT INTO series (kind, key, exchange, simulated)
  SELECT kind, key, exchange, simulated FROM json_populate_recordset(NULL::series, $1::json)
  ORDER BY kind, key, exchange, simulated
  ON CONFLICT DO NOTHING`;

type Series = { kind: string; key: string; exchange: string; simulated: boolean };

interface StoredPart {
  account: string | null;
  simulated: boolean;
  components: Components;
  series: Series[];
}

async function storePart(
  tx: Sql,
  claim: Claim,
  { gathered, resources }: Part,
  { isForDashboard }: Options,
  store: StoreRows,
): Promise<StoredPart> {
  const { account, exchange } = resources;
  const { name, simulated } = exchange;
  const events: WebhookEvent[] = [];
  const announce = (event: WebhookEvent) => void events.push(event);
  const storing: Omit<Storing, 'announce'> = {
    tx,
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
    const { keys, failures } = await store(tx, seen, kind.targetOf, async (rows) => {
      const own: WebhookEvent[] = [];
      const stored = await kind.store({ ...storing, announce: (event) => own.push(event) }, rows);
      events.push(...own);
      return stored;
    });
    series.push(...keys.map((key) => ({ kind: kind.name, key, exchange: name, simulated })));
    const result = components[kind.component];
    if (result)
      components[kind.component] = withRefused({ ...result, data_points: keys.length }, failures);
  }
  if (gathered.account) {
    const transfers = components.transfers?.status ?? 'skipped';
    const { capturedAt } = claim;
    const compared = { exchange: name, simulated, capturedAt, transfers };
    await storeAccount(tx, resources.logger, gathered.account, compared);
  }
  const { failures } = await store(tx, gathered.candles, symbolOf, async (fetched) => {
    await storeCandles(tx, name, fetched);
    return [];
  });
  for (const { component, readsCandles } of gathered.seen.keys()) {
    const result = components[component];
    if (readsCandles && result) components[component] = withRefused(result, failures);
  }
  if (isForDashboard && gathered.seen.size > 0) {
    await announceComponents(tx, exchange, components, announce);
    await rememberComponents(tx, claim, exchange, components);
  }
  await recordEvents(tx, resources, claim, events);
  return { account, simulated, components, series };
}

const symbolOf = ({ symbol }: FetchedCandles) => symbol;

function withRefused(
  result: ComponentResult,
  failures: readonly ExchangeFailure[],
): ComponentResult {
  if (failures.length === 0) return result;
  return {
    ...result,
    status: result.data_points > 0 ? 'partial' : 'failed',
    failures: [...result.failures, ...failures.map(presentFailure)],
  };
}

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

async function finish(
  tx: Sql,
  claim: Claim,
  finishedAt: Date,
  response: z.output<typeof collectResponse>,
): Promise<Stored> {
  const answer = JSON.stringify(response);
  const { rowCount } = await tx.query(FINISH, [
    ...[claim.ref.toString(), claim.attempt, finishedAt, response.duration_ms],
    ...[response.data_points_collected, response.storage_status, response.dashboard_updated],
    ...[JSON.stringify(response.components), answer, broughtData(response.components)],
  ]);
  if (rowCount !== 1) throw new OvertakenError();
  return {
    answer,
    components: response.components,
    dataPoints: response.data_points_collected,
  };
}

const FINISH = `
  UPDATE collection SET status = 'success', finished_at = $3, lease_until = NULL, duration_ms = $4, data_points = $5,
    storage_status = $6, dashboard_updated = $7, components = $8, answer = $9, brought_data = $10, error = NULL
  WHERE id = $1 AND attempt = $2 AND status = 'running'`;

export class OvertakenError extends Error {
  override readonly name = 'OvertakenError';

  constructor() {
    super('a later attempt replaced this one');
  }
}

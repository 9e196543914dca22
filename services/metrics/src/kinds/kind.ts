import type { Sql } from '@switchyard/db';
import { z } from 'zod';
import type { FetchedCandles } from '../candles/candles';
import type { ExchangeFailure } from '../exchange/failure';
import type { Resources } from '../resources';
import type { WebhookEvent } from '../webhooks/outbox';

export type Row = Record<string, unknown>;

export interface Item extends Row {
  kind: string;
  exchange: string;
  simulated: boolean;
}

export const FILTERS = ['symbol', 'asset', 'grid_id', 'timeframe'] as const;
type Filter = (typeof FILTERS)[number];

export interface HistoryTable {
  name: string;
  table: string;
  time: string;
  /** SQL of the series key of a row; '' for a series without a name. */
  key: string;
  filters: readonly Filter[];
  ofKey: Partial<Record<Filter, string>>;
  decimals: readonly string[];
  measures: Readonly<Record<string, string>>;
  presence: readonly string[];
  label?: string;
  ofSeries(key: string): string;
  named(key: string): Row;
  extra?(row: Row): Row;
}

/**
 * A kind of snapshot. A new kind needs a folder, a migration with its table, and a line in `KINDS`.
 * Collections, history, roll-ups, metrics, OpenAPI and the dashboard use that list.
 */
export interface Kind<Seen = unknown> extends HistoryTable {
  component: string;
  readsCandles?: boolean;
  plan(resources: Resources): Promise<Plan<Seen>>;
  targetOf(seen: Seen): string;
  store(storing: Storing, seen: readonly Seen[]): Promise<string[]>;
  deleteOld?(resources: Resources, limit: Date): Promise<void>;
  dashboard: DashboardPart;
  gauges: readonly KindGauge[];
  gaugesFrom?: string;
}

export interface Plan<Seen> {
  skip?: ExchangeFailure | null;
  symbols?: readonly string[];
  /**
   * Reads from the exchange and adds items one by one, so that a deadline loses only the remaining
   * items.
   */
  gather(round: Round, sink: Sink<Seen>): Promise<void>;
}

export interface Sink<Seen> {
  rows: Seen[];
  failures: ExchangeFailure[];
  ignored: string[];
}

export interface Round extends Resources {
  signal: AbortSignal;
  symbols: readonly string[];
  priced: readonly string[];
  candlesOf(symbol: string): Promise<FetchedCandles>;
  seen<Seen>(kind: Kind<Seen>): Promise<readonly Seen[]>;
}

export interface Storing {
  tx: Sql;
  common: { collectionRef: bigint; capturedAt: Date; exchange: string; simulated: boolean };
  candles: readonly FetchedCandles[];
  seen<Seen>(kind: Kind<Seen>): readonly Seen[];
  announce(event: WebhookEvent): void;
}

export interface DashboardPart {
  field: string;
  item: z.ZodType;
  table?: { title: string; columns: Readonly<Record<string, string>> };
  latest(resources: Resources, exchange: string): Promise<Row[]>;
}

export const snapshotItem = z.looseObject({ kind: z.string() });

export interface KindGauge {
  name: string;
  help: string;
  labels: Readonly<Record<string, string>>;
  value: string;
}

export function collectionIdSql({ table }: HistoryTable, row: string): string {
  if (table === 'collection') return '';
  return `, (SELECT c.collection_id FROM collection c WHERE c.id = ${row}.collection_ref) AS collection_id`;
}

export function columnMeasures(...names: string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, `t.${name}::numeric`]));
}

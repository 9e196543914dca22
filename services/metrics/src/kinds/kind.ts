import type { Sql } from '@switchyard/db';
import type { Gauge, Registry } from 'prom-client';
import { z } from 'zod';
import type { FetchedCandles } from '../candles/candles';
import type { OfAccount } from '../create-gauge';
import type { ExchangeFailure } from '../exchange/failure';
import type { Resources } from '../resources';
import type { WebhookEvent } from '../webhooks/outbox';

/** A row of a table by its columns. */
export type Row = Record<string, unknown>;

/** A snapshot, or a bucket of them, as the interface shows it. */
export interface Item extends Row {
  kind: string;
  exchange: string;
  simulated: boolean;
}

/** What the history can be filtered by, beside the time and the exchange. */
export const FILTERS = ['symbol', 'asset', 'grid_id', 'timeframe'] as const;
type Filter = (typeof FILTERS)[number];

/** A table that the history reads; the names are columns and wire names at once. */
export interface HistoryTable {
  /** What the interface calls its rows. */
  name: string;
  table: string;
  /** Column of the time that the history is in order of. */
  time: string;
  /** SQL of what tells one series from another; '' is the key of a series without a name. */
  key: string;
  filters: readonly Filter[];
  /** SQL of what the `key` of a series says of each filter. */
  ofKey: Partial<Record<Filter, string>>;
  /** NUMERIC columns: decimal texts on the wire. */
  decimals: readonly string[];
  /** Numbers that average, minimum and maximum are made of, with their SQL; the first is that of open, high, low, close. */
  measures: Readonly<Record<string, string>>;
  /** Measures of which every row has one: a bucket without them has no row. */
  presence: readonly string[];
  /** Column of a label whose values are counted in each bucket. */
  label?: string;
  /** SQL that selects the rows `t` of the series with this key, which is `$1`. */
  ofSeries(key: string): string;
  /** What an item without a row of its own says of its series. */
  named(key: string): Row;
  /** What an item shows beside its columns. */
  extra?(row: Row): Row;
}

/**
 * A kind of snapshot: everything that the service knows of it. A new kind is a folder that makes one, a migration with
 * the model of its table, and a line of `KINDS`; collecting, history, roll-up, exposition, OpenAPI and the page follow it.
 */
export interface Kind<Seen = unknown> extends HistoryTable {
  /** What a collection calls the part that gathers it. */
  component: string;
  /** True for a kind that is made of candles, and names those that cannot be stored. */
  readsCandles?: boolean;
  /** Reads from the database what asking the exchange needs. */
  plan(resources: Resources): Promise<Plan<Seen>>;
  /** What a failure to store it names. */
  targetOf(seen: Seen): string;
  /** Writes what was seen. @returns the key of the series of each row that was written */
  store(storing: Storing, seen: readonly Seen[]): Promise<string[]>;
  dashboard: DashboardPart;
  gauges(registry: Registry): KindGauges;
}

export interface Plan<Seen> {
  /** Why the exchange cannot be asked at all, e.g. for want of keys. */
  skip?: ExchangeFailure | null;
  /** Symbols whose price is needed beside those that were asked for. */
  symbols?: readonly string[];
  /** Asks the exchange, and reports item by item, so that a deadline cuts off only the rest. */
  gather(round: Round, sink: Sink<Seen>): Promise<void>;
}

/** Where a kind puts what it has seen, and what it has not. */
export interface Sink<Seen> {
  rows: Seen[];
  failures: ExchangeFailure[];
  /** Assets that count as zero although they have no price, or because they are ignored. */
  ignored: string[];
}

/** One collection while the exchange is asked. */
export interface Round extends Resources {
  signal: AbortSignal;
  /** The symbols that were asked for. */
  symbols: readonly string[];
  /** These and the ones that a kind needs a price of. */
  priced: readonly string[];
  /** Closed candles of a symbol, asked for once however many kinds want them. */
  candlesOf(symbol: string): Promise<FetchedCandles>;
  /** What another kind has seen, once it is done. */
  seen<Seen>(kind: Kind<Seen>): Promise<readonly Seen[]>;
}

/** One collection while it is stored. */
export interface Storing {
  tx: Sql;
  /** The columns that all snapshots of a collection share. */
  common: { collectionRef: bigint; capturedAt: Date; exchange: string; simulated: boolean };
  candles: readonly FetchedCandles[];
  /** What another kind has seen. */
  seen<Seen>(kind: Kind<Seen>): readonly Seen[];
  /** Has a receiver of webhooks told, if the collection is stored. */
  announce(event: WebhookEvent): void;
}

/** A field of the dashboard's state. */
export interface DashboardPart {
  field: string;
  item: z.ZodType;
  /** Shows it on the page as a table: its heading, and that of each column by its field. */
  table?: { title: string; columns: Readonly<Record<string, string>> };
  /** The newest of everything, each with its own time: while the exchange is away the last known values stay. */
  latest(resources: Resources, exchange: string): Promise<Row[]>;
}

/** A snapshot on the dashboard. */
export const snapshotItem = z.looseObject({ kind: z.string() });

/** What Prometheus is shown of the collection that the dashboard shows. */
export interface KindGauges {
  all: readonly Pick<Gauge, 'reset'>[];
  /** SQL of a JSON array of rows; `shown.id` is the collection, `shown.owner` the name of whose rows they are. */
  select: string;
  /** `of` is on each of its samples. */
  show(rows: never[], of: OfAccount): void;
}

/** SQL of a row's public collection id, looked up for the rows that are shown only. */
export function collectionIdSql({ table }: HistoryTable, row: string): string {
  if (table === 'collection') return '';
  return `, (SELECT c.collection_id FROM collection c WHERE c.id = ${row}.collection_ref) AS collection_id`;
}

/** Measures that are columns. */
export function columnMeasures(...names: string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, `t.${name}::numeric`]));
}

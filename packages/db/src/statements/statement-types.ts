const SQL_TYPES = {
  uuid: 'uuid',
  text: 'text',
  int: 'int4',
  bigint: 'int8',
  float: 'float8',
  bool: 'bool',
  bytes: 'bytea',
  json: 'jsonb',
  time: 'timestamptz',
  date: 'date',
  'uuid[]': 'uuid[]',
  'text[]': 'text[]',
  'int[]': 'int4[]',
} as const;

interface Values {
  uuid: string;
  text: string;
  int: number;
  bigint: number;
  float: number;
  bool: boolean;
  bytes: Uint8Array<ArrayBuffer>;
  // biome-ignore lint/suspicious/noExplicitAny: what a JSON column holds is its owner's to say.
  json: any;
  time: string;
  date: string;
  'uuid[]': string[];
  'text[]': string[];
  'int[]': number[];
}

export type TypeName = keyof Values;
export type ColumnType = TypeName | `${TypeName}?`;
export type Columns = Readonly<Record<string, ColumnType>>;

type ValueOf<T extends ColumnType> = T extends TypeName
  ? Values[T]
  : T extends `${infer Name extends TypeName}?`
    ? Values[Name] | null
    : never;

type OrDate<T extends ColumnType> = T extends 'time' | 'time?' ? Date : never;

export type FromColumns<C extends Columns> = { -readonly [K in keyof C]: ValueOf<C[K]> };
export type ToParameters<C extends Columns> = {
  readonly [K in keyof C]: ValueOf<C[K]> | OrDate<C[K]>;
};

export const sqlType = (type: ColumnType): string => SQL_TYPES[type.replace('?', '') as TypeName];

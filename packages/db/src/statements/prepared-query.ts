import pg, { type FieldDef, type QueryConfig, type Submittable } from 'pg';

/** A pool or one of its connections. */
type To = { query(query: Submittable, values: undefined, callback: Callback): unknown };
type Callback = (error: Error | null | undefined, sent?: PreparedQuery) => void;

/** What `pg` gives a query that brings its own way to be sent, beyond what its types say. */
interface Wire {
  readonly stream: { cork(): void; uncork(): void };
  readonly parsedStatements: Record<string, string>;
  readonly submittedNamedStatements: Record<string, string>;
  parse(statement: { name: string; text: string }): void;
  bind(portal: { statement: string; values: unknown[] }): void;
  describe(what: { type: 'P' }): void;
  execute(portal: object): void;
  sync(): void;
}

interface Column extends Pick<FieldDef, 'name' | 'dataTypeID'> {
  read(text: string): unknown;
}
interface Shape {
  readonly columns: readonly Column[];
  /** Copied for each row, so that all rows of a statement are objects of one form. */
  readonly empty: Readonly<Record<string, null>>;
}

const { prepareValue } = (pg as unknown as { utils: { prepareValue(value: unknown): unknown } })
  .utils;

/** Sends a statement and returns its rows. @throws what PostgreSQL says, or the connection */
export function rowsOf(to: Pick<pg.Pool, 'query'>, config: QueryConfig): Promise<unknown[]> {
  if (!config.name) return to.query(config).then(({ rows }) => rows);
  return new Promise((resolve, reject) => {
    (to as unknown as To).query(new PreparedQuery(config), undefined, (error, sent) => {
      if (error) reject(error);
      else resolve((sent as PreparedQuery).rows);
    });
  });
}

/**
 * A declared statement on its way. By itself `pg` asks with each execution which columns there are, and finds out anew how
 * to read them: almost half of what a statement of one row costs a process. Here that is asked once a connection.
 */
class PreparedQuery implements Submittable {
  readonly rows: unknown[] = [];
  /** `pg` remembers by it, and by the text, what a connection has parsed. */
  readonly name: string;
  readonly text: string;
  /** Set by `pg`, to what `query` was given. */
  callback: Callback | undefined;
  private readonly values: unknown[];
  private readonly types: QueryConfig['types'];
  private shapes: Map<string, Shape> | undefined;
  private shape: Shape | undefined;
  private failure: unknown = null;

  constructor({ name, text, values, types }: QueryConfig) {
    this.name = name as string;
    this.text = text;
    this.types = types;
    // Here rather than on the wire, so that what cannot be sent fails before anything was.
    this.values = (values as unknown[]).map((value) => prepareValue(value));
  }

  submit(connection: unknown): void {
    const wire = connection as Wire;
    const { name, text, values } = this;
    this.shapes = shapesOf(wire);
    this.shape = this.shapes.get(name);
    wire.stream.cork();
    try {
      if (!wire.parsedStatements[name] && !wire.submittedNamedStatements[name]) {
        wire.parse({ name, text });
        wire.submittedNamedStatements[name] = text;
      }
      wire.bind({ statement: name, values });
      if (!this.shape) wire.describe({ type: 'P' });
      wire.execute({});
      wire.sync();
    } finally {
      wire.stream.uncork();
    }
  }

  handleRowDescription({ fields }: { fields: FieldDef[] }): void {
    this.shape = sharedShape(this.name, fields, this.types);
    this.shapes?.set(this.name, this.shape);
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    if (this.failure !== null) return;
    try {
      this.rows.push(readRow(this.shape as Shape, fields));
    } catch (error) {
      this.failure = error;
    }
  }

  handleCommandComplete(): void {}

  handleError(error: Error): void {
    this.callback?.(error);
  }

  handleReadyForQuery(): void {
    this.callback?.(this.failure as Error | null, this);
  }
}

function readRow({ columns, empty }: Shape, fields: (string | null)[]): object {
  const row: Record<string, unknown> = { ...empty };
  for (let at = 0; at < fields.length; at++) {
    const text = fields[at] as string | null;
    const { name, read } = columns[at] as Column;
    if (text !== null) row[name] = read(text);
  }
  return row;
}

/** By the connection, because a statement may return other types on one that was opened after a migration. */
const known = new WeakMap<Wire, Map<string, Shape>>();

function shapesOf(wire: Wire): Map<string, Shape> {
  const shapes = known.get(wire) ?? new Map<string, Shape>();
  known.set(wire, shapes);
  return shapes;
}

/** The newest of each statement, which connections share. */
const newest = new Map<string, Shape>();

function sharedShape(name: string, fields: FieldDef[], types: QueryConfig['types']): Shape {
  const last = newest.get(name);
  if (last && isOf(last, fields)) return last;
  const columns = fields.map((field) => ({
    name: field.name,
    dataTypeID: field.dataTypeID,
    read: (types ?? pg.types).getTypeParser(field.dataTypeID, 'text') as Column['read'],
  }));
  const empty = { ...Object.fromEntries(columns.map((column) => [column.name, null])) };
  const shape = { columns, empty };
  newest.set(name, shape);
  return shape;
}

const isOf = ({ columns }: Shape, fields: FieldDef[]): boolean =>
  columns.length === fields.length &&
  columns.every(({ name, dataTypeID }, at) => {
    const field = fields[at] as FieldDef;
    return field.name === name && field.dataTypeID === dataTypeID;
  });

import { loadModule, parseSync } from 'libpg-query';

type Tree = Record<string, unknown>;

interface Statement {
  kind: string;
  node: Tree;
  reason: string | null;
  lockReason: string | null;
}

const CONTRACT = /^-- contract: (\S.*)$/m;
const LOCK = /^-- lock: (\S.*)$/m;

async function statementsOf(sql: string): Promise<Statement[]> {
  await loadModule();
  const bytes = Buffer.from(sql);
  let end = 0;
  const parsed = parseSync(sql) as { stmts?: Tree[] };
  return (parsed.stmts ?? []).map((one) => {
    const at = (one.stmt_location as number | undefined) ?? 0;
    const before = bytes.subarray(end, at).toString();
    end = at + ((one.stmt_len as number | undefined) ?? bytes.length);
    const [[kind, node] = ['', {}]] = Object.entries(one.stmt as Tree);
    const reason = CONTRACT.exec(before)?.[1] ?? null;
    return { kind, node: node as Tree, reason, lockReason: LOCK.exec(before)?.[1] ?? null };
  });
}

function under(node: unknown, key: string): unknown[] {
  if (node === null || typeof node !== 'object') return [];
  return Object.entries(node).flatMap(([name, value]) => [
    ...(name === key ? [value] : []),
    ...under(value, key),
  ]);
}

const strings = (node: unknown) => under(node, 'sval') as string[];
const relationOf = (node: Tree) => (node.relation as Tree | undefined)?.relname as string;

const isSerial = (name: string) => /^(?:small|big)?serial$/.test(name);

interface Made {
  tables: Set<string>;
  columns: Set<string>;
}

const commandsOf = ({ kind, node }: Statement): Tree[] =>
  kind === 'AlterTableStmt' ? (under(node.cmds, 'AlterTableCmd') as Tree[]) : [];

function madeBy(statements: Statement[]): Made {
  const tables = statements.filter(({ kind }) => kind === 'CreateStmt');
  const columns = statements.flatMap((one) =>
    commandsOf(one)
      .filter(({ subtype }) => subtype === 'AT_AddColumn')
      .map(({ def }) => `${relationOf(one.node)}.${under(def, 'colname')[0]}`),
  );
  return {
    tables: new Set(tables.map(({ node }) => relationOf(node))),
    columns: new Set(columns),
  };
}

const HARMLESS = [
  'AT_DropNotNull',
  'AT_ColumnDefault',
  'AT_ValidateConstraint',
  'AT_SetStatistics',
  'AT_SetOptions',
];

/** Returns why rows or statements of the previous version would break; null if they would not. */
function commandFault(table: string, command: Tree, made: Made): string | null {
  const { subtype, def } = command;
  const named = `${table}.${command.name ?? under(def, 'colname')[0] ?? under(def, 'conname')[0]}`;
  if (made.tables.has(table) || HARMLESS.includes(subtype as string)) return null;
  if (subtype === 'AT_AddColumn') {
    const bounds = under(def, 'contype');
    const isFilled = bounds.includes('CONSTR_DEFAULT') || strings(def).some(isSerial);
    const isBound = bounds.includes('CONSTR_NOTNULL') && !isFilled;
    return isBound ? `${named} is NOT NULL without a default` : null;
  }
  if (subtype === 'AT_AddConstraint') {
    const bound = strings([under(def, 'fields'), under(def, 'fk_attrs'), under(def, 'keys')]);
    const hasNew = bound.some((column) => made.columns.has(`${table}.${column}`));
    return hasNew ? null : `${named} binds columns that the previous version writes`;
  }
  return `${named}: ${String(subtype).replace('AT_', '')}`;
}

const ADDING = ['CreateStmt', 'CreateSchemaStmt', 'CreateEnumStmt', 'UpdateStmt', 'InsertStmt'];

function faultsOf(statement: Statement, made: Made): (string | null)[] {
  const { kind, node } = statement;
  const table = relationOf(node);
  if (ADDING.includes(kind)) return [];
  if (kind === 'AlterTableStmt') {
    return commandsOf(statement).map((command) => commandFault(table, command, made));
  }
  if (kind === 'IndexStmt') {
    const columns = under(node.indexParams, 'name') as string[];
    const isNew =
      made.tables.has(table) || columns.some((name) => made.columns.has(`${table}.${name}`));
    return [
      node.unique && !isNew ? `${node.idxname} makes ${table} unique in columns it has` : null,
    ];
  }
  const what = strings(node.objects).join('.') || table || '';
  return [`${kind.replace('Stmt', '')} ${what}`.trim()];
}

/**
 * Returns the steps of a migration that break the previous version's code (UPGRADING.md): steps
 * that remove, rename or constrain, and steps that are not known to be additive. Omits steps after
 * `-- contract: <reason>`.
 */
export async function contractSteps(sql: string): Promise<string[]> {
  const statements = await statementsOf(sql);
  const made = madeBy(statements);
  return statements
    .filter(({ reason }) => reason === null)
    .flatMap((statement) => faultsOf(statement, made))
    .filter((fault) => fault !== null);
}

/**
 * Returns the indexes that block writes to an existing table while they are built, unless IF NOT
 * EXISTS lets an operator build them in advance, or `-- lock: <reason>` explains a short wait
 * (UPGRADING.md).
 */
export async function lockingIndexes(sql: string): Promise<string[]> {
  const statements = await statementsOf(sql);
  const made = madeBy(statements);
  return statements
    .filter(({ kind, node }) => kind === 'IndexStmt' && !made.tables.has(relationOf(node)))
    .filter(({ node, lockReason }) => lockReason === null && node.if_not_exists !== true)
    .map(({ node }) => `${node.idxname} locks ${relationOf(node)}`);
}

import { isDeepStrictEqual } from 'node:util';
import { foreignKeyViolation, newId, uniqueViolation } from '@switchyard/db';
import {
  ApiError,
  check,
  ERROR_STATUS,
  type FieldProblem,
  invalid,
  invalidField,
} from '@switchyard/server';
import type { ImportReport } from '@switchyard/types';
import type { Tx } from '../../kernel/call';
import { nameKey } from '../../state/names/unique-names';
import type { Fields } from './file-format';
import { KINDS, type KindName } from './kinds';
import type { Named, Place } from './kinds/kind';
import type { ImportedFile } from './parse-files';
import { type CompanyEntry, readFiles, readSecrets } from './read-files';

interface Import {
  tx: Tx;
  files: ReadonlyMap<string, ImportedFile>;
  present: ReadonlyMap<string, CompanyEntry>;
  ids: Map<string, string>;
  place: Omit<Place, 'slug'>;
  report: ImportReport;
}

interface Change {
  file: ImportedFile;
  fields: Fields;
  text: string | null | undefined;
}

/**
 * Writes the files kind by kind. Reports each file that cannot be written, and continues: the
 * caller must then roll back.
 * @throws ApiError 400 naming the file and the field
 */
export async function writeFiles(
  tx: Tx,
  files: ImportedFile[],
  activates: boolean,
): Promise<ImportReport> {
  const job = await openImport(tx, files, activates);
  const changes = files.map((file) => changeOf(job, file));
  const problems = changes.flatMap((change) => problemsOf(job, change));
  if (problems.length > 0) throw invalid(problems.slice(0, 50));
  for (const kind of Object.keys(KINDS) as KindName[]) {
    const ofKind = changes.filter(({ file }) => file.kind === kind);
    const later: Change[] = [];
    for (const change of ofKind) {
      if (job.present.has(change.file.path)) later.push(change);
      else later.push(...(await createObject(job, change)));
    }
    for (const change of later) await updateObject(job, change);
  }
  return job.report;
}

async function openImport(tx: Tx, files: ImportedFile[], activates: boolean): Promise<Import> {
  const present = new Map<string, CompanyEntry>();
  for await (const entry of readFiles(tx, numbersOf(files))) present.set(entry.path, entry);
  const ids = new Map([...present.values()].map(({ path, id }) => [path, id]));
  const secrets = await readSecrets(tx.db, tx.companyId);
  const secretIds = new Map([...secrets].map(([id, name]) => [nameKey(name), id]));
  const place: Import['place'] = {
    activates,
    idOf: (to, slug) => {
      const id = ids.get(pathOf(to, slug));
      if (id !== undefined) return id;
      throw invalidField([], `${pathOf(to, slug)} must be importable first`);
    },
    secretId: (name, path) => {
      const id = typeof name === 'string' ? secretIds.get(nameKey(name)) : undefined;
      if (id !== undefined) return id;
      throw invalidField(path, 'must name a secret of the company: create the secret first');
    },
  };
  const report = { applied: false, created: [], changed: [], unchanged: 0, refused: [] };
  return {
    tx,
    files: new Map(files.map((file) => [file.path, file])),
    present,
    ids,
    place,
    report,
  };
}

const pathOf = (to: Named, slug: unknown) => `${KINDS[to].folder}${slug}.md`;

function numbersOf(files: ImportedFile[]): number[] {
  const ofIssues = files.filter(({ path }) => path.startsWith(KINDS.issues.folder));
  const named = ofIssues.flatMap(({ slug, fields }) => [
    Number.parseInt(slug, 10),
    ...[fields.parent, fields.blockedBy].flat().filter((one) => one !== null),
  ]);
  return [...new Set(named as number[])].filter((one) => one > 0 && one < 1_000_000_000);
}

function changeOf({ present }: Import, file: ImportedFile): Change {
  const before = present.get(file.path);
  if (!before) return { file, fields: file.fields, text: file.text };
  const entries = Object.entries(file.fields);
  const changed = entries.filter(([name, value]) => !isDeepStrictEqual(value, before.fields[name]));
  const text = file.text === before.text ? undefined : file.text;
  return { file, fields: Object.fromEntries(changed), text };
}

function bodyOf({ file, fields, text }: Change, idOf: Place['idOf']): Fields {
  const kind = KINDS[file.kind];
  const body: Fields = {};
  for (const [name, value] of Object.entries(fields)) {
    const reference = kind.fields[name];
    const id = (slug: unknown) => reference && idOf(reference.to, String(slug));
    if (!reference) body[name] = value;
    else if (Array.isArray(value)) body[reference.as] = value.map(id);
    else body[reference.as] = value === null ? null : id(value);
  }
  if (kind.text !== null && text !== undefined) body[kind.text] = text;
  return body;
}

function problemsOf({ files, ids }: Import, change: Change): FieldProblem[] {
  const { kind, path, slug } = change.file;
  const { creates, updates } = KINDS[kind];
  const problems: FieldProblem[] = [];
  const assertKnown = (target: string, field: string[]) => {
    if (files.has(target) || ids.has(target)) return;
    const message = `names ${target}, which neither the files nor the company contain`;
    problems.push({ path: [path, ...field], message: message.slice(0, 400), code: 'custom' });
  };
  for (const [name, reference] of referencesOf(change)) {
    for (const each of [change.fields[name]].flat()) {
      if (each !== null) assertKnown(pathOf(reference.to, each), [name]);
    }
  }
  if (kind === 'documents' || kind === 'comments') {
    assertKnown(pathOf('issues', slug.split('/')[0]), []);
  }
  const schema = ids.has(path) ? updates : creates;
  const checked = schema ? check(schema, bodyOf(change, newId)) : { problems: [] };
  if ('data' in checked) return problems;
  return [
    ...problems,
    ...checked.problems.map((problem) => ({
      ...problem,
      path: [path, ...fieldOf(kind, problem.path)],
    })),
  ];
}

const referencesOf = ({ file, fields }: Change) =>
  Object.entries(KINDS[file.kind].fields).flatMap(([name, reference]) =>
    reference && Object.hasOwn(fields, name) ? [[name, reference] as const] : [],
  );

function fieldOf(kind: KindName, [first, ...rest]: (string | number)[]): (string | number)[] {
  if (first === undefined) return [];
  const named = Object.entries(KINDS[kind].fields).find(([, reference]) => reference?.as === first);
  return [named?.[0] ?? first, ...rest];
}

async function createObject(job: Import, change: Change): Promise<Change[]> {
  const { tx, files, ids, place, report } = job;
  const { file, fields } = change;
  const { kind, path, slug } = file;
  const waits = referencesOf(change).filter(([name, { to }]) => {
    const targets = [fields[name]].flat().filter((one) => one !== null);
    return (
      to === kind && targets.some((one) => files.has(pathOf(to, one)) && !ids.has(pathOf(to, one)))
    );
  });
  const names = new Set<string>(waits.map(([name]) => name));
  const part = (isLater: boolean) =>
    Object.fromEntries(Object.entries(fields).filter(([name]) => names.has(name) === isLater));
  const isWritten = await attempt(job, file, async () => {
    const body = bodyOf({ ...change, fields: part(false) }, place.idOf);
    const { creates, create } = KINDS[kind];
    ids.set(path, await create(tx, creates?.parse(body), { ...place, slug }));
  });
  if (!isWritten) return [];
  report.created.push(path);
  return names.size > 0 ? [{ file, fields: part(true), text: undefined }] : [];
}

async function updateObject(job: Import, change: Change): Promise<void> {
  const { tx, ids, present, place, report } = job;
  const { file, fields, text } = change;
  const { kind, path, slug } = file;
  const { updates, update, text: markdown } = KINDS[kind];
  const before = present.get(path);
  const isText = markdown !== null && text !== undefined;
  if (Object.keys(fields).length === 0 && !isText) {
    report.unchanged += 1;
    return;
  }
  const isWritten = await attempt(job, file, async () => {
    const body = updates?.parse(bodyOf(change, place.idOf));
    await update(tx, ids.get(path) as string, body, { ...place, slug });
  });
  if (!isWritten || !before) return;
  const changes = Object.entries(fields).map(([field, to]) => ({
    field,
    from: before.fields[field] ?? null,
    to,
  }));
  if (isText) changes.push({ field: markdown, from: before.text, to: text });
  report.changed.push({ path, changes });
}

async function attempt(job: Import, file: ImportedFile, write: () => Promise<void>) {
  const { tx, report } = job;
  await tx.query({ text: 'SAVEPOINT imported_file' });
  try {
    await write();
    await tx.query({ text: 'RELEASE SAVEPOINT imported_file' });
    return true;
  } catch (error) {
    await tx.query({ text: 'ROLLBACK TO SAVEPOINT imported_file' });
    report.refused.push({ path: file.path, ...refusalOf(file.kind, error) });
    return false;
  }
}

function refusalOf(kind: KindName, error: unknown): { field: string | null; message: string } {
  if (uniqueViolation(error) !== null || foreignKeyViolation(error) !== null) {
    return { field: null, message: 'conflicts with another object of the company' };
  }
  if (!(error instanceof ApiError) || ERROR_STATUS[error.code] >= 500) throw error;
  const { details, message } = error;
  const [problem] = Array.isArray(details) ? (details as FieldProblem[]) : [];
  const named = (details as { field?: string } | undefined)?.field?.split('.');
  const field = fieldOf(kind, problem?.path ?? named ?? []).join('.');
  return { field: field === '' ? null : field, message: problem?.message ?? message };
}

import { conflict } from '@switchyard/server';
import type { Call } from '../../kernel/call';
import type { FileContent } from './file-format';
import { COMPANY_WIDE, KINDS, type KindName, OF_ISSUES } from './kinds';
import type { Named, Reference, Row, Source } from './kinds/kind';
import { slugOf } from './slug-of';

export interface CompanyEntry extends FileContent {
  kind: KindName;
  id: string;
  slug: string;
  path: string;
}

type Slugs = Record<Named, Map<string, string>>;

const PAGE = 50;

/**
 * Reads the files of a company one after another. Only file names of agents, goals and projects
 * stay in memory.
 * @param numbers of the issues to read, `all`, or none
 */
export async function* readFiles(
  { db, companyId, actor }: Pick<Call, 'db' | 'companyId' | 'actor'>,
  numbers: 'all' | number[],
): AsyncGenerator<CompanyEntry> {
  const secrets = await readSecrets(db, companyId);
  const source: Source = { db, companyId, actor, secrets };
  const slugs: Slugs = {
    agents: await readSlugs(source, 'agents'),
    goals: await readSlugs(source, 'goals'),
    projects: await readSlugs(source, 'projects'),
    issues: new Map(),
  };
  for (const kind of COMPANY_WIDE) yield* entriesOf(kind, source, slugs);
  if (numbers !== 'all' && numbers.length === 0) return;
  const chosen = numbers === 'all' ? source : { ...source, numbers };
  for await (const issue of entriesOf('issues', chosen, slugs)) {
    yield issue;
    for (const kind of OF_ISSUES) {
      for await (const part of entriesOf(kind, { ...source, issueId: issue.id }, slugs)) {
        const slug = `${issue.slug}/${kind}/${part.slug}`;
        yield { ...part, slug, path: `issues/${slug}.md` };
      }
    }
  }
}

export async function readSecrets(db: Call['db'], companyId: string): Promise<Map<string, string>> {
  const rows = await db.prisma.secret.findMany({
    where: { companyId },
    select: { id: true, name: true },
  });
  return new Map(rows.map(({ id, name }) => [id, name]));
}

async function readSlugs(source: Source, kind: KindName): Promise<Map<string, string>> {
  const slugs = new Map<string, string>();
  for await (const { id, slug } of rowsOf(kind, source)) slugs.set(id, slug);
  return slugs;
}

async function* entriesOf(
  kind: KindName,
  source: Source,
  slugs: Slugs,
): AsyncGenerator<CompanyEntry> {
  const { folder, fields, text } = KINDS[kind];
  for await (const { id, slug, row } of rowsOf(kind, source)) {
    const shown = Object.entries(fields).map(([name, reference]) => [
      name,
      reference ? slugsOf(row, reference, slugs[reference.to]) : row[name],
    ]);
    yield {
      kind,
      id,
      slug,
      path: `${folder}${slug}.md`,
      fields: Object.fromEntries(shown),
      text: text === null ? null : (row[text] as string | null),
    };
  }
}

function slugsOf(row: Row, { to, as, isList }: Reference, slugs: ReadonlyMap<string, string>) {
  const slug = (id: unknown) => (to === 'issues' ? id : (slugs.get(id as string) ?? null));
  if (!isList) return slug(row[as]);
  return (row[as] as unknown[]).map(slug).filter((one) => one !== null);
}

async function* rowsOf(kind: KindName, source: Source) {
  const { named, read } = KINDS[kind];
  const taken = new Map<string, number>();
  let count = 0;
  let after: string | undefined;
  for (;;) {
    const cursor = after === undefined ? {} : { cursor: { id: after }, skip: 1 as const };
    const rows = await read(source, { take: PAGE, ...cursor });
    for (const row of rows) {
      count += 1;
      const own = (row.slug as string | undefined) ?? String(count);
      yield { id: row.id, slug: named ? slugOf(row[named] as string, taken) : own, row };
    }
    if (rows.length === 0) {
      const isDeleted =
        after !== undefined &&
        (await read(source, { take: 1, cursor: { id: after } })).length === 0;
      if (isDeleted)
        throw conflict('conflict', 'the company changed meanwhile: repeat the request');
      return;
    }
    after = rows.at(-1)?.id;
  }
}

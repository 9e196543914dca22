import { ask, newId, statement } from '@switchyard/db';
import { conflict } from '@switchyard/server';
import type { Tx } from '../../kernel/call';

export interface WrittenLabel {
  name: string;
  key: string;
}

/**
 * Replaces the labels of an issue and creates missing ones. Requires the issue's lock. Returns the
 * sorted names and whether a label changed.
 */
export async function labelIssue(
  tx: Tx,
  issueId: string,
  written: readonly WrittenLabel[],
): Promise<{ labels: string[]; isChanged: boolean }> {
  const labels = await holdLabels(tx, written);
  const labelIds = labels.map(({ id }) => id);
  const [linked] = await ask(tx, linkLabels, { companyId: tx.companyId, issueId, labelIds });
  return { labels: labels.map(({ name }) => name), isChanged: linked?.isChanged ?? false };
}

export async function createLabel(tx: Tx, label: WrittenLabel): Promise<string> {
  const values = {
    companyId: tx.companyId,
    ids: [newId()],
    names: [label.name],
    keys: [label.key],
  };
  const [made] = await ask(tx, insertLabels, values);
  if (!made?.isNew) {
    const text = `a label with the name ${label.name} already exists: choose another name`;
    throw conflict('name_taken', text, { field: 'name' });
  }
  await tx.record('label.created', made.id, { name: made.name });
  return made.id;
}

/**
 * Locks labels against deletion until the commit, in the order of keys. Existing labels get only a
 * share lock, so that two writers that use the same label do not wait.
 */
async function holdLabels(tx: Tx, written: readonly WrittenLabel[]) {
  if (written.length === 0) return [];
  const { companyId } = tx;
  const byKey = new Map(written.map((label) => [label.key, label]));
  const found = await ask(tx, shareLabels, { companyId, keys: [...byKey.keys()] });
  for (const { key } of found) byKey.delete(key);
  const missing = [...byKey.values()];
  if (missing.length === 0) return found;
  const made = await ask(tx, insertLabels, {
    companyId,
    ids: missing.map(() => newId()),
    names: missing.map(({ name }) => name),
    keys: missing.map(({ key }) => key),
  });
  for (const { id, name, isNew } of made) if (isNew) await tx.record('label.created', id, { name });
  return [...found, ...made].sort((a, b) => Buffer.compare(Buffer.from(a.key), Buffer.from(b.key)));
}

const shareLabels = statement('share-labels', {
  takes: { companyId: 'uuid', keys: 'text[]' },
  gives: { id: 'uuid', name: 'text', key: 'text' },
  sql: (p) => `
    SELECT id, name, key FROM label WHERE company_id = ${p.companyId} AND key = ANY (${p.keys})
    ORDER BY key FOR KEY SHARE`,
});

/**
 * On conflict with a label of a concurrent writer, locks that label with an update that has no
 * effect.
 */
const insertLabels = statement('insert-labels', {
  takes: { companyId: 'uuid', ids: 'uuid[]', names: 'text[]', keys: 'text[]' },
  gives: { id: 'uuid', name: 'text', key: 'text', isNew: 'bool' },
  sql: (p) => `
    INSERT INTO label (id, company_id, name, key)
    SELECT made.id, ${p.companyId}, made.name, made.key
    FROM unnest(${p.ids}, ${p.names}, ${p.keys}) AS made (id, name, key) ORDER BY made.key
    ON CONFLICT (company_id, key) DO UPDATE SET name = label.name
    RETURNING id, name, key, xmax = 0 AS "isNew"`,
});

const linkLabels = statement('link-labels', {
  takes: { companyId: 'uuid', issueId: 'uuid', labelIds: 'uuid[]' },
  gives: { isChanged: 'bool' },
  sql: (p) => `
    WITH removed AS (
      DELETE FROM issue_label WHERE issue_id = ${p.issueId} AND label_id <> ALL (${p.labelIds})
      RETURNING label_id
    ), added AS (
      INSERT INTO issue_label (company_id, issue_id, label_id)
      SELECT ${p.companyId}, ${p.issueId}, id FROM unnest(${p.labelIds}) id
      ON CONFLICT DO NOTHING RETURNING label_id
    )
    SELECT EXISTS (SELECT FROM removed) OR EXISTS (SELECT FROM added) AS "isChanged"`,
});

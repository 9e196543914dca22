import { ask, statement } from '@switchyard/db';
import type { LabelView, UpdateLabelBody } from '@switchyard/types';
import { type Call, inTransaction, type Tx } from '../../kernel/call';
import { changedFields } from '../../state/changed-fields';
import { changeLabel, lockLabel } from '../../state/labels/change-label';
import { withUniqueName } from '../../state/names/unique-names';
import { labelOf } from './label-of';
import { tallyOfLabels } from './labels';

export async function updateLabel(
  call: Call,
  labelId: string,
  body: UpdateLabelBody,
): Promise<LabelView> {
  return inTransaction(call, async (tx) => {
    const before = await lockLabel(tx, labelId);
    const wanted = { ...body, ...(body.name !== undefined && labelOf(body.name)) };
    const changed = changedFields(before, wanted).filter((field) => field !== 'key');
    const after = changed.length > 0 ? await write(tx, { ...before, ...wanted }) : before;
    if (changed.length > 0) {
      const renamed = before.name !== after.name && { from: before.name };
      await tx.record('label.updated', labelId, { name: after.name, changed, ...renamed });
    }
    const [counted] = await ask(tx, countIssues, { companyId: tx.companyId, labelId });
    const { key: _, ...shown } = after;
    return { ...shown, issueCount: counted?.n ?? 0 };
  });
}

async function write(tx: Tx, label: Parameters<typeof changeLabel>[1]) {
  return withUniqueName('a label', label.name, changeLabel(tx, label));
}

const countIssues = statement('count-issues-of-label', {
  takes: { companyId: 'uuid', labelId: 'uuid' },
  gives: { n: 'int' },
  sql: (p) => `
    SELECT n FROM (${tallyOfLabels(p.companyId)}) tally WHERE label_id = ${p.labelId}::text`,
});

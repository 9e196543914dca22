import { updateLabelBody } from '@switchyard/types';
import { createLabel } from '../../../state/labels/label-issue';
import { labelOf } from '../../labels/label-of';
import { updateLabel } from '../../labels/update-label';
import { SLUG } from '../slug-of';
import { defineKind, OLDEST_FIRST } from './kind';

export const labels = defineKind({
  folder: 'labels/',
  slug: SLUG,
  named: 'name',
  fields: { name: null, color: null },
  text: null,
  creates: updateLabelBody.required({ name: true }),
  updates: updateLabelBody,
  read: ({ db, companyId }, page) =>
    db.prisma.label.findMany({ where: { companyId }, orderBy: [...OLDEST_FIRST], ...page }),
  create: async (tx, { name, color }) => {
    const id = await createLabel(tx, labelOf(name));
    if (color) await updateLabel(tx, id, { color });
    return id;
  },
  update: updateLabel,
});

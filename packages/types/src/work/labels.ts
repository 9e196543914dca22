import { z } from 'zod';
import { id, pageQuery, text, timestamp } from '../primitives';

export const labelName = text(100);

const color = z.string().regex(/^#[0-9a-fA-F]{6}$/, 'must be a color such as #1f6feb');

export const label = z.object({
  id,
  companyId: id,
  name: z.string(),
  color: z.string().nullable(),
  issueCount: z.int(),
  createdAt: timestamp,
});

export const updateLabelBody = z
  .strictObject({ name: labelName, color: color.nullable() })
  .partial();

export const listLabelsQuery = z.strictObject(pageQuery());

export type LabelView = z.infer<typeof label>;
export type UpdateLabelBody = z.infer<typeof updateLabelBody>;

import type { WrittenLabel } from '../../state/labels/label-issue';
import { labelOf } from '../labels/label-of';

export function writtenLabels(names: readonly string[]): WrittenLabel[] {
  const byKey = new Map<string, WrittenLabel>();
  for (const written of names) {
    const label = labelOf(written);
    if (!byKey.has(label.key)) byKey.set(label.key, label);
  }
  return [...byKey.values()];
}

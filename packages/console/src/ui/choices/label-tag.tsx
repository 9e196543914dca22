import type { ReactNode } from 'react';
import { useLabels } from '../../data/directory';

export function LabelTag({ name, children }: { name: string; children?: ReactNode }) {
  const labels = useLabels();
  const color = labels.data?.find((label) => label.name === name)?.color;
  return (
    <span className="inline-flex h-5 max-w-44 items-center gap-1.5 rounded-full border border-line-strong px-2 text-xs text-muted">
      <span
        aria-hidden
        className="size-2 shrink-0 rounded-full bg-line-strong"
        style={color && /^#[0-9a-f]{6}$/i.test(color) ? { backgroundColor: color } : undefined}
      />
      <span className="truncate">{name}</span>
      {children}
    </span>
  );
}

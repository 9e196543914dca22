import type { ReactNode } from 'react';
import { classNames } from '../../../ui/class-names';

const TONES = {
  none: 'border-transparent bg-sunken',
  allowed: 'border-accent bg-selected',
  refused: 'border-transparent bg-sunken opacity-45',
} as const;

export function DropZone({
  drop,
  onDrop,
  className,
  children,
}: {
  drop: keyof typeof TONES;
  onDrop: () => void;
  className?: string;
  children: ReactNode;
}) {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keyboard moves a card by `s`
    <div
      className={classNames('rounded-lg border border-dashed', TONES[drop], className)}
      onDragOver={(event) => {
        if (drop !== 'allowed') return;
        event.preventDefault();
        event.dataTransfer.dropEffect = 'move';
      }}
      onDrop={(event) => {
        event.preventDefault();
        onDrop();
      }}
    >
      {children}
    </div>
  );
}

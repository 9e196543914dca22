import type { ReactNode } from 'react';
import { Ago } from '../../../ui/time';

export function Line({
  mark,
  at,
  below,
  children,
}: {
  mark: ReactNode;
  at?: string;
  below?: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className="flex items-start gap-2.5 text-sm text-muted">
      <span className="flex h-5 w-6 shrink-0 items-center justify-center">{mark}</span>
      <span className="min-w-0 flex-1">
        {children}
        {at && (
          <>
            {' · '}
            <Ago at={at} className="text-faint" />
          </>
        )}
        {below && <span className="block">{below}</span>}
      </span>
    </div>
  );
}

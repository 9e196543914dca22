import { useState } from 'react';
import { useRead } from '../../data/read';
import { t } from '../../i18n';
import { Loading, Skeleton } from '../../ui/states';
import { ZonedTime } from '../routines/zoned-time';

export function NextFirings({ routineId, triggerId }: { routineId: string; triggerId: string }) {
  const [isOpen, setOpen] = useState(false);
  const preview = useRead(
    '/api/routines/{routineId}/triggers/{triggerId}/preview',
    { path: { routineId, triggerId }, query: { count: '5' } as never },
    { enabled: isOpen, staleTime: 60_000 },
  );
  return (
    <details className="mt-1" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="text-sm text-muted">{t('routine.nextFirings')}</summary>
      {isOpen && (
        <Loading of={preview} skeleton={<Skeleton rows={3} height={20} />}>
          {({ timezone, times }) => (
            <ol className="mt-1 pl-4 text-sm">
              {times.map(({ at }) => (
                <li key={at}>
                  <ZonedTime at={at} zone={timezone} />
                </li>
              ))}
            </ol>
          )}
        </Loading>
      )}
    </details>
  );
}

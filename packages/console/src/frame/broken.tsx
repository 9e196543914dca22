import type { ErrorComponentProps } from '@tanstack/react-router';
import { TriangleAlert } from 'lucide-react';
import { t } from '../i18n';
import { Button } from '../ui/button';
import { Empty } from '../ui/states';

export function Broken({ error, reset }: ErrorComponentProps) {
  return (
    <main id="content" role="alert" className="flex-1">
      <Empty
        icon={TriangleAlert}
        title={t('broken.title')}
        action={<Button onClick={reset}>{t('action.tryAgain')}</Button>}
      >
        <p>{t('broken.text')}</p>
        <p className="mt-2 font-mono text-xs break-words">{String(error)}</p>
      </Empty>
    </main>
  );
}

import { Outlet } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useQuestion } from '../data/confirm-password';
import { t } from '../i18n';
import { Toasts } from '../ui/toast';

const ConfirmPassword = lazy(() =>
  import('./confirm-password').then(({ ConfirmPassword }) => ({ default: ConfirmPassword })),
);

export function Root() {
  const question = useQuestion();
  return (
    <>
      <a
        href="#content"
        className="fixed top-1 left-1 z-50 -translate-y-20 rounded-md bg-accent-fill px-3 py-1.5 text-sm text-on-accent focus:translate-y-0"
      >
        {t('frame.skip')}
      </a>
      <Outlet />
      <Suspense>{question && <ConfirmPassword {...question} />}</Suspense>
      <Toasts />
    </>
  );
}

import { Outlet } from '@tanstack/react-router';
import { t } from '../i18n';
import { Toasts } from '../ui/toast';
import { ConfirmPassword } from './confirm-password';

export function Root() {
  return (
    <>
      <a
        href="#content"
        className="fixed top-1 left-1 z-50 -translate-y-20 rounded-md bg-accent-fill px-3 py-1.5 text-sm text-on-accent focus:translate-y-0"
      >
        {t('frame.skip')}
      </a>
      <Outlet />
      <ConfirmPassword />
      <Toasts />
    </>
  );
}

import { unwrap } from '@switchyard/client';
import { useState } from 'react';
import { api } from '../data/api';
import { useRead } from '../data/read';
import { useSend } from '../data/send';
import { t } from '../i18n';
import { FormDialog } from '../ui/dialogs/form-dialog';
import { InputField } from '../ui/field';

const signInAgain = () =>
  `/sign-in/provider?next=${encodeURIComponent(location.pathname + location.search)}`;

export function ConfirmPassword({
  confirmed,
  cancelled,
}: {
  confirmed(): void;
  cancelled(): void;
}) {
  const { hasPassword = true } = useRead('/api/auth/session', {}).data?.user ?? {};
  const [password, setPassword] = useState('');
  const sending = useSend(() => unwrap(api.POST('/api/auth/confirm', { body: { password } })), {
    onDone: confirmed,
  });
  return (
    <FormDialog
      title={t('confirm.title')}
      submit={t('confirm.submit')}
      isBusy={sending.isPending}
      isIncomplete={password === ''}
      onSubmit={() => sending.mutate(undefined)}
      onClose={cancelled}
    >
      <p className="text-sm text-muted">{t('confirm.why')}</p>
      {!hasPassword && (
        <a href={signInAgain()} className="text-sm text-accent underline">
          {t('confirm.atProvider')}
        </a>
      )}
      <InputField
        name="password"
        label={t('confirm.password')}
        type="password"
        autoComplete="current-password"
        value={password}
        onChange={({ target }) => setPassword(target.value)}
      />
    </FormDialog>
  );
}

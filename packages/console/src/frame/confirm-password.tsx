import { unwrap } from '@switchyard/client';
import { useState } from 'react';
import { api } from '../data/api';
import { useSend } from '../data/send';
import { t } from '../i18n';
import { FormDialog } from '../ui/dialogs/form-dialog';
import { InputField } from '../ui/field';

export function ConfirmPassword({
  confirmed,
  cancelled,
}: {
  confirmed(): void;
  cancelled(): void;
}) {
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

import { unwrap } from '@switchyard/client';
import { Copy } from 'lucide-react';
import { useState } from 'react';
import { api } from '../../data/api';
import { useCompany } from '../../data/company';
import { useHeld } from '../../data/draft';
import { useSend } from '../../data/send';
import { t, word } from '../../i18n';
import { copyText } from '../../ui/browser/copy-text';
import { Button } from '../../ui/button';
import { FormDialog } from '../../ui/dialogs/form-dialog';
import { InputField, SelectField, wordOptions } from '../../ui/field';
import { showToast } from '../../ui/toast';
import { ROLES, type Role } from './roles';

const FIRST = { email: '', role: 'operator' } as const;

export function InviteForm({ onClose }: { onClose: () => void }) {
  const { id: companyId } = useCompany();
  const held = useHeld<{ email: string; role: Role }>(`invite ${companyId}`, FIRST);
  const { email, role } = held.value;
  const [url, setUrl] = useState<string>();
  const inviting = useSend(
    () =>
      unwrap(
        api.POST('/api/companies/{companyId}/invites', {
          params: { path: { companyId } },
          body: { role, ...(email.trim() && { email: email.trim() }) },
        }),
      ),
    { onDone: (invite) => setUrl(invite.url) },
  );
  if (url !== undefined) {
    return (
      <FormDialog
        title={t('people.invite')}
        isDone
        submit={t('action.close')}
        onSubmit={onClose}
        onClose={onClose}
      >
        <InputField
          label={t('people.link')}
          hint={t('people.linkHint')}
          readOnly
          value={url}
          className="w-full font-mono"
        />
        <Button
          icon={Copy}
          className="self-start"
          onClick={() => {
            void copyText(url);
            showToast({ text: t('action.copied') });
          }}
        >
          {t('action.copy')}
        </Button>
      </FormDialog>
    );
  }
  return (
    <FormDialog
      title={t('people.invite')}
      submit={t('people.invite')}
      held={held}
      isBusy={inviting.isPending}
      onSubmit={() => inviting.mutate(undefined)}
      onClose={onClose}
    >
      <InputField
        name="email"
        label={t('field.email')}
        isOptional
        hint={t('people.emailHint')}
        type="email"
        value={email}
        onChange={({ target }) => held.change({ email: target.value })}
      />
      <SelectField
        name="role"
        label={t('field.role')}
        hint={word('roleHint', role)}
        value={role}
        onChange={({ target }) => held.change({ role: target.value as Role })}
      >
        {wordOptions('role', ROLES)}
      </SelectField>
    </FormDialog>
  );
}

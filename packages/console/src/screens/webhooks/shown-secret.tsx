import { t } from '../../i18n';
import { Copied } from '../../ui/copied';
import { FormDialog } from '../../ui/dialogs/form-dialog';

export const ShownSecret = ({ secret, onClose }: { secret: string; onClose: () => void }) => (
  <FormDialog
    title={t('webhooks.secret')}
    isDone
    submit={t('action.close')}
    onSubmit={onClose}
    onClose={onClose}
  >
    <p className="text-sm text-warn">{t('webhooks.secretOnce')}</p>
    <Copied text={secret} label={t('webhooks.secret')} />
  </FormDialog>
);

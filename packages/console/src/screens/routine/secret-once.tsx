import { t } from '../../i18n';
import { Button } from '../../ui/button';
import { Copied } from '../../ui/copied';
import { Dialog } from '../../ui/dialogs/dialog';
import { curlLine, hasCurlLine } from './curl-line';
import type { ShownSecret } from './routine';

export function SecretOnce({
  of: { secret, fireUrl, signingMode },
  onClose,
}: {
  of: ShownSecret;
  onClose: () => void;
}) {
  return (
    <Dialog
      title={t('routine.secret')}
      onClose={onClose}
      footer={
        <Button tone="primary" onClick={onClose}>
          {t('action.close')}
        </Button>
      }
    >
      <div className="flex flex-col gap-3">
        <p className="text-sm text-warn">{t('routine.secretOnce')}</p>
        <Copied text={secret} label={t('routine.secret')} />
        <Copied text={fireUrl} label={t('routine.fireUrl')} />
        {hasCurlLine(signingMode) && (
          <Copied text={curlLine(fireUrl, signingMode, secret)} label={t('routine.curl')} />
        )}
      </div>
    </Dialog>
  );
}

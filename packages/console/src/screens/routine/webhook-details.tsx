import { unwrap } from '@switchyard/client';
import { RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { api } from '../../data/api';
import { useSend } from '../../data/send';
import { t } from '../../i18n';
import { Button } from '../../ui/button';
import { Copied } from '../../ui/copied';
import { FormDialog } from '../../ui/dialogs/form-dialog';
import { curlLine, hasCurlLine } from './curl-line';
import type { ShownSecret, Trigger } from './routine';

interface WebhookDetailsProps {
  trigger: Extract<Trigger, { kind: 'webhook' }>;
  mayWrite: boolean;
  onSecret: (secret: ShownSecret) => void;
}

export function WebhookDetails({ trigger, mayWrite, onSecret }: WebhookDetailsProps) {
  const { signingMode } = trigger;
  const [isRotating, setRotating] = useState(false);
  const fireUrl = `${location.origin}/api/routine-triggers/public/${trigger.publicId}/fire`;
  const rotate = useSend(
    () =>
      unwrap(
        api.POST('/api/routine-triggers/{triggerId}/rotate-secret', {
          params: { path: { triggerId: trigger.id } },
        }),
      ),
    {
      onDone: (rotated) => {
        setRotating(false);
        onSecret({ secret: rotated.secret, fireUrl: rotated.fireUrl, signingMode });
      },
    },
  );
  return (
    <details className="mt-1">
      <summary className="text-sm text-muted">{t('routine.curl')}</summary>
      <div className="mt-2 flex flex-col items-start gap-2">
        <Copied text={fireUrl} label={t('routine.fireUrl')} />
        {hasCurlLine(signingMode) && (
          <Copied text={curlLine(fireUrl, signingMode)} label={t('routine.curl')} />
        )}
        {mayWrite && (
          <Button icon={RefreshCw} onClick={() => setRotating(true)}>
            {t('routine.rotate')}
          </Button>
        )}
      </div>
      {isRotating && (
        <FormDialog
          title={t('routine.rotateTitle')}
          submit={t('routine.rotate')}
          tone="danger"
          isBusy={rotate.isPending}
          onSubmit={() => rotate.mutate(undefined)}
          onClose={() => setRotating(false)}
        >
          <p>{t('routine.rotateText')}</p>
        </FormDialog>
      )}
    </details>
  );
}

import { unwrap } from '@switchyard/client';
import { useState } from 'react';
import { api } from '../../data/api';
import { useSend } from '../../data/send';
import { t } from '../../i18n';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog';
import type { Endpoint } from './endpoint';
import { ShownSecret } from './shown-secret';

export function RotateSecret({ endpoint, onClose }: { endpoint: Endpoint; onClose: () => void }) {
  const { id: endpointId, host } = endpoint;
  const [secret, setSecret] = useState<string>();
  const rotating = useSend(
    () =>
      unwrap(
        api.POST('/api/endpoints/{endpointId}/rotate-secret', { params: { path: { endpointId } } }),
      ),
    { onDone: (rotated) => setSecret(rotated.secret) },
  );
  if (secret !== undefined) return <ShownSecret secret={secret} onClose={onClose} />;
  return (
    <ConfirmDialog
      title={t('webhooks.rotateTitle', { host })}
      submit={t('webhooks.rotate')}
      isBusy={rotating.isPending}
      onConfirm={() => rotating.mutate(undefined)}
      onClose={onClose}
    >
      {t('webhooks.rotateText')}
    </ConfirmDialog>
  );
}

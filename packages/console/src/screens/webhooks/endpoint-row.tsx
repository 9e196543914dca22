import { unwrap } from '@switchyard/client';
import { useState } from 'react';
import { api } from '../../data/api';
import { useMayWrite } from '../../data/rights';
import { useSend } from '../../data/send';
import { t, word } from '../../i18n';
import { Button } from '../../ui/button';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog';
import { Tag } from '../../ui/marks';
import { Ago } from '../../ui/time';
import { Deliveries } from './deliveries';
import type { Endpoint } from './endpoint';

export function EndpointRow({ endpoint }: { endpoint: Endpoint }) {
  const { id: endpointId, host, description, events, shape, status } = endpoint;
  const mayWrite = useMayWrite();
  const [opened, setOpened] = useState<'deliveries' | 'deletion'>();
  const params = { path: { endpointId } };
  const isEnabled = status === 'enabled';
  const testing = useSend(() => unwrap(api.POST('/api/endpoints/{endpointId}/test', { params })), {
    onDone: () => setOpened('deliveries'),
  });
  const switching = useSend(
    (next: Endpoint['status']) =>
      unwrap(api.PATCH('/api/endpoints/{endpointId}', { params, body: { status: next } })),
    { optimistic: (next) => ({ id: endpointId, changes: { status: next } }) },
  );
  const removing = useSend(() => unwrap(api.DELETE('/api/endpoints/{endpointId}', { params })), {
    onDone: () => setOpened(undefined),
  });
  const received = events.map((event) => word('webhookEvent', event)).join(', ');
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1.5 border-b border-line px-4 py-2.5 last:border-0">
      <span className="min-w-0 flex-1 basis-full">
        <span className="flex items-center gap-2">
          <span className="truncate font-mono text-sm font-medium">{host}/…</span>
          <Status endpoint={endpoint} />
        </span>
        <span className="block text-sm break-words text-muted">
          {description && `${description} · `}
          {word('webhookShape', shape)} · {received || t('webhooks.allEvents')}
        </span>
      </span>
      <Button tone="quiet" onClick={() => setOpened('deliveries')}>
        {t('webhooks.deliveries')}
      </Button>
      {mayWrite && (
        <>
          {isEnabled && (
            <Button isBusy={testing.isPending} onClick={() => testing.mutate(undefined)}>
              {t('webhooks.test')}
            </Button>
          )}
          <Button
            isBusy={switching.isPending}
            onClick={() => switching.mutate(isEnabled ? 'disabled' : 'enabled')}
          >
            {t(isEnabled ? 'webhooks.disable' : 'webhooks.enable')}
          </Button>
          <Button tone="danger" onClick={() => setOpened('deletion')}>
            {t('action.delete')}
          </Button>
        </>
      )}
      {opened === 'deliveries' && (
        <Deliveries endpoint={endpoint} onClose={() => setOpened(undefined)} />
      )}
      {opened === 'deletion' && (
        <ConfirmDialog
          title={t('webhooks.deleteTitle', { host })}
          submit={t('action.delete')}
          isBusy={removing.isPending}
          onConfirm={() => removing.mutate(undefined)}
          onClose={() => setOpened(undefined)}
        >
          {t('webhooks.deleteText')}
        </ConfirmDialog>
      )}
    </li>
  );
}

function Status({ endpoint: { status, disabledReason, failingSince } }: { endpoint: Endpoint }) {
  if (status === 'disabled') {
    return (
      <Tag
        tone={disabledReason === 'board' ? 'plain' : 'bad'}
        title={disabledReason ? word('endpointDisabled', disabledReason) : undefined}
      >
        {word('endpointStatus', status)}
      </Tag>
    );
  }
  if (failingSince === null) return <Tag tone="good">{word('endpointStatus', status)}</Tag>;
  return (
    <Tag tone="warn">
      {t('webhooks.failing')} <Ago at={failingSince} className="ml-1" />
    </Tag>
  );
}

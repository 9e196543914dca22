import { unwrap } from '@switchyard/client';
import { EllipsisVertical, KeyRound, Pencil, Rewind, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { api } from '../../data/api';
import { useMayWrite } from '../../data/rights';
import { useSend } from '../../data/send';
import { t, word } from '../../i18n';
import { Button } from '../../ui/button';
import { Menu, MenuItem } from '../../ui/choices/menu';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog';
import { Tag } from '../../ui/marks';
import { Ago } from '../../ui/time';
import { Deliveries } from './deliveries';
import type { Endpoint } from './endpoint';
import { EditEndpoint } from './endpoint-form';
import { Replay } from './replay';
import { RotateSecret } from './rotate-secret';

export function EndpointRow({ endpoint }: { endpoint: Endpoint }) {
  const { id: endpointId, host, description, events, shape, status } = endpoint;
  const mayWrite = useMayWrite();
  const [opened, setOpened] = useState<'deliveries' | Opened>();
  const close = () => setOpened(undefined);
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
    onDone: () => close(),
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
          <MoreActions isEnabled={isEnabled} onOpen={setOpened} />
        </>
      )}
      {opened === 'deliveries' && <Deliveries endpoint={endpoint} onClose={close} />}
      {opened === 'edit' && <EditEndpoint endpoint={endpoint} onClose={close} />}
      {opened === 'rotation' && <RotateSecret endpoint={endpoint} onClose={close} />}
      {opened === 'replay' && <Replay endpoint={endpoint} onClose={close} />}
      {opened === 'deletion' && (
        <ConfirmDialog
          title={t('webhooks.deleteTitle', { host })}
          submit={t('action.delete')}
          isBusy={removing.isPending}
          onConfirm={() => removing.mutate(undefined)}
          onClose={close}
        >
          {t('webhooks.deleteText')}
        </ConfirmDialog>
      )}
    </li>
  );
}

type Opened = 'edit' | 'rotation' | 'replay' | 'deletion';

function MoreActions({
  isEnabled,
  onOpen,
}: {
  isEnabled: boolean;
  onOpen: (dialog: Opened) => void;
}) {
  return (
    <Menu
      label={t('action.more')}
      align="end"
      className="inline-flex size-8 items-center justify-center rounded-md border border-line-strong bg-raised hover:bg-hover max-md:size-10"
      trigger={<EllipsisVertical size={15} aria-hidden />}
    >
      {(close) => {
        const opening = (dialog: Opened) => () => {
          close();
          onOpen(dialog);
        };
        return (
          <>
            <MenuItem icon={Pencil} onClick={opening('edit')}>
              {t('action.edit')}
            </MenuItem>
            <MenuItem icon={KeyRound} onClick={opening('rotation')}>
              {t('webhooks.rotate')}
            </MenuItem>
            {isEnabled && (
              <MenuItem icon={Rewind} onClick={opening('replay')}>
                {t('webhooks.replay')}
              </MenuItem>
            )}
            <MenuItem icon={Trash2} tone="danger" onClick={opening('deletion')}>
              {t('action.delete')}
            </MenuItem>
          </>
        );
      }}
    </Menu>
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

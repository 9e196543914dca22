import { unwrap } from '@switchyard/client';
import { Copy, KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';
import { api, type Schemas } from '../../data/api';
import { useHeld } from '../../data/draft';
import { useRead } from '../../data/read';
import { useMayWrite } from '../../data/rights';
import { useSend } from '../../data/send';
import { t } from '../../i18n';
import { copyText } from '../../ui/browser/copy-text';
import { Button } from '../../ui/button';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog';
import { Dialog } from '../../ui/dialogs/dialog';
import { FormDialog } from '../../ui/dialogs/form-dialog';
import { InputField } from '../../ui/field';
import { Panel } from '../../ui/page';
import { Empty, Loading } from '../../ui/states';
import { Ago } from '../../ui/time';
import { showToast } from '../../ui/toast';

type Key = Schemas['AgentKey'];

export function AgentKeys({ agentId }: { agentId: string }) {
  const mayWrite = useMayWrite();
  const keys = useRead('/api/agents/{agentId}/keys', { path: { agentId } });
  const [isNaming, setNaming] = useState(false);
  const [made, setMade] = useState<string>();
  const [revoked, setRevoked] = useState<Key>();
  const add = mayWrite && (
    <Button icon={Plus} onClick={() => setNaming(true)}>
      {t('agent.newKey')}
    </Button>
  );
  return (
    <div className="mx-auto w-full max-w-3xl px-4 py-5">
      <Loading of={keys}>
        {(items) =>
          items.length === 0 ? (
            <Empty icon={KeyRound} title={t('agent.keysEmpty')} action={add}>
              {t('agent.keysEmptyText')}
            </Empty>
          ) : (
            <>
              <div className="mb-3 flex justify-end">{add}</div>
              <Panel>
                <ul className="divide-y divide-line">
                  {items.map((key) => (
                    <li key={key.id} className="flex min-h-11 flex-wrap items-center gap-3 px-3">
                      <span className="font-medium">{key.name}</span>
                      <code className="font-mono text-xs text-muted">{key.prefix}…</code>
                      <span className="min-w-0 flex-1 text-sm text-muted">
                        {key.lastUsedAt ? (
                          <>
                            {t('agent.keyUsed')} <Ago at={key.lastUsedAt} />
                          </>
                        ) : (
                          t('agent.keyUnused')
                        )}
                      </span>
                      {mayWrite && (
                        <Button tone="danger" onClick={() => setRevoked(key)}>
                          {t('agent.keyRevoke')}
                        </Button>
                      )}
                    </li>
                  ))}
                </ul>
              </Panel>
            </>
          )
        }
      </Loading>
      {isNaming && <NewKey agentId={agentId} onMade={setMade} onClose={() => setNaming(false)} />}
      {made && <ShownOnce secret={made} onClose={() => setMade(undefined)} />}
      {revoked && <Revoke agentId={agentId} of={revoked} onClose={() => setRevoked(undefined)} />}
    </div>
  );
}

function NewKey({
  agentId,
  onMade,
  onClose,
}: {
  agentId: string;
  onMade: (key: string) => void;
  onClose: () => void;
}) {
  const held = useHeld(`key of ${agentId}`, { name: '' });
  const { name } = held.value;
  const making = useSend(
    () =>
      unwrap(
        api.POST('/api/agents/{agentId}/keys', {
          params: { path: { agentId } },
          body: { name: name.trim() },
        }),
      ),
    {
      onDone: ({ key }) => {
        onClose();
        onMade(key);
      },
    },
  );
  return (
    <FormDialog
      title={t('agent.newKey')}
      submit={t('action.create')}
      held={held}
      isBusy={making.isPending}
      isIncomplete={name.trim() === ''}
      onSubmit={() => making.mutate(undefined)}
      onClose={onClose}
    >
      <InputField
        name="name"
        label={t('agent.keyName')}
        maxLength={200}
        value={name}
        onChange={({ target }) => held.change({ name: target.value })}
      />
    </FormDialog>
  );
}

function ShownOnce({ secret, onClose }: { secret: string; onClose: () => void }) {
  const copy = async () => {
    await copyText(secret);
    showToast({ text: t('action.copied') });
  };
  return (
    <Dialog
      title={t('agent.newKey')}
      onClose={onClose}
      footer={
        <>
          <Button icon={Copy} onClick={() => void copy()}>
            {t('action.copy')}
          </Button>
          <Button tone="primary" onClick={onClose}>
            {t('action.close')}
          </Button>
        </>
      }
    >
      <p className="mb-2 text-sm text-warn">{t('agent.keyOnce')}</p>
      <code className="block rounded-md border border-line bg-sunken p-2.5 font-mono text-sm break-all select-all">
        {secret}
      </code>
    </Dialog>
  );
}

function Revoke({ agentId, of: key, onClose }: { agentId: string; of: Key; onClose: () => void }) {
  const revoking = useSend(
    () =>
      unwrap(
        api.DELETE('/api/agents/{agentId}/keys/{keyId}', {
          params: { path: { agentId, keyId: key.id } },
        }),
      ),
    {
      onDone: () => {
        showToast({ text: t('agent.keyRevoked') });
        onClose();
      },
    },
  );
  return (
    <ConfirmDialog
      title={t('agent.keyRevokeTitle', { name: key.name })}
      submit={t('agent.keyRevoke')}
      isBusy={revoking.isPending}
      onConfirm={() => revoking.mutate(undefined)}
      onClose={onClose}
    >
      {t('agent.keyRevokeText')}
    </ConfirmDialog>
  );
}

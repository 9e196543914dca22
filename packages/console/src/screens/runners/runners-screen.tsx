import { unwrap } from '@switchyard/client';
import { Plus, Server } from 'lucide-react';
import { useState } from 'react';
import { api, type Schemas } from '../../data/api';
import { useCompany } from '../../data/company';
import { useRead } from '../../data/read';
import { useIsOwner } from '../../data/rights';
import { useSend } from '../../data/send';
import { t } from '../../i18n';
import { Button } from '../../ui/button';
import { Copied } from '../../ui/copied';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog';
import { EntityForm } from '../../ui/dialogs/entity-form';
import { FormDialog } from '../../ui/dialogs/form-dialog';
import { InputField } from '../../ui/field';
import { Tag } from '../../ui/marks';
import { Page, Panel } from '../../ui/page';
import { Empty, Loading } from '../../ui/states';
import { Ago } from '../../ui/time';
import { SettingsTabs } from '../settings/settings-tabs';

type Runner = Schemas['Runner'];

export function RunnersScreen() {
  const { id: companyId } = useCompany();
  const isOwner = useIsOwner();
  const runners = useRead(
    '/api/companies/{companyId}/runners',
    { path: { companyId } },
    { staleTime: 0 },
  );
  const [form, setForm] = useState<'new' | { token: string } | { revoked: Runner }>();
  const close = () => {
    setForm(undefined);
    void runners.refetch();
  };
  const add = isOwner && (
    <Button tone="primary" icon={Plus} onClick={() => setForm('new')}>
      {t('runners.new')}
    </Button>
  );
  return (
    <Page title={t('runners.title')} toolbar={<SettingsTabs />} width="measure" actions={add}>
      <Loading of={runners}>
        {(all) =>
          all.length === 0 ? (
            <Empty icon={Server} title={t('runners.empty')} action={add}>
              {t('runners.emptyText')}
            </Empty>
          ) : (
            <Panel>
              <ul>
                {all.map((runner) => (
                  <RunnerRow
                    key={runner.id}
                    runner={runner}
                    onRevoke={isOwner ? () => setForm({ revoked: runner }) : undefined}
                  />
                ))}
              </ul>
            </Panel>
          )
        }
      </Loading>
      {form === 'new' && <NewRunner onDone={setForm} onClose={close} />}
      {typeof form === 'object' && 'token' in form && (
        <FormDialog
          title={t('runners.token')}
          isDone
          submit={t('action.close')}
          onSubmit={close}
          onClose={close}
        >
          <p className="text-sm text-warn">{t('runners.tokenOnce')}</p>
          <Copied text={form.token} label={t('runners.token')} />
        </FormDialog>
      )}
      {typeof form === 'object' && 'revoked' in form && (
        <Revoke runner={form.revoked} onClose={close} />
      )}
    </Page>
  );
}

interface RowProps {
  runner: Runner;
  onRevoke: (() => void) | undefined;
}

const RunnerRow = ({ runner: { name, labels, lastSeenAt, instances }, onRevoke }: RowProps) => (
  <li className="flex min-h-12 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-1.5 last:border-0">
    <span className="min-w-0 flex-1">
      <span className="flex flex-wrap items-center gap-2 font-medium">
        {name}
        {labels.map((label) => (
          <Tag key={label}>{label}</Tag>
        ))}
      </span>
      <span className="block text-sm text-muted">
        {instances.length > 0
          ? instances
              .map((each) =>
                t('runners.instance', {
                  name: each.name,
                  runs: each.runs,
                  capacity: each.capacity,
                }),
              )
              .join(' · ')
          : t('runners.offline')}
        {lastSeenAt && (
          <>
            {' · '}
            {t('runners.lastSeen')} <Ago at={lastSeenAt} />
          </>
        )}
      </span>
    </span>
    {onRevoke && (
      <Button tone="danger" aria-label={t('runners.revokeNamed', { name })} onClick={onRevoke}>
        {t('people.revoke')}
      </Button>
    )}
  </li>
);

interface Draft {
  name: string;
  labels: string | null;
}

interface NewRunnerProps {
  onDone: (created: { token: string }) => void;
  onClose: () => void;
}

function NewRunner({ onDone, onClose }: NewRunnerProps) {
  const { id: companyId } = useCompany();
  return (
    <EntityForm<Draft, { token: string }>
      name={`runner ${companyId}`}
      title={t('runners.new')}
      stored={undefined}
      save={({ name = '', labels }) =>
        unwrap(
          api.POST('/api/companies/{companyId}/runners', {
            params: { path: { companyId } },
            body: { name, ...(labels && { labels: labels.split(/[\s,]+/).filter(Boolean) }) },
          }),
        )
      }
      onDone={onDone}
      onClose={onClose}
    >
      {({ bind }) => (
        <>
          <InputField {...bind('name')} label={t('field.name')} required maxLength={200} />
          <InputField
            {...bind('labels')}
            label={t('runners.labels')}
            hint={t('runners.labelsHint')}
            isOptional
          />
        </>
      )}
    </EntityForm>
  );
}

function Revoke({
  runner: { id: runnerId, name },
  onClose,
}: {
  runner: Runner;
  onClose: () => void;
}) {
  const { id: companyId } = useCompany();
  const revoking = useSend(
    () =>
      unwrap(
        api.DELETE('/api/companies/{companyId}/runners/{runnerId}', {
          params: { path: { companyId, runnerId } },
        }),
      ),
    { onDone: onClose },
  );
  return (
    <ConfirmDialog
      title={t('runners.revokeNamed', { name })}
      submit={t('people.revoke')}
      isBusy={revoking.isPending}
      onConfirm={() => revoking.mutate(undefined)}
      onClose={onClose}
    >
      {t('runners.revokeText')}
    </ConfirmDialog>
  );
}

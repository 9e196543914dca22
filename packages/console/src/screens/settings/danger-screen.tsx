import { unwrap } from '@switchyard/client';
import { useState } from 'react';
import { api } from '../../data/api';
import { useCompany } from '../../data/company';
import { useIsOwner } from '../../data/rights';
import { useSend } from '../../data/send';
import { t } from '../../i18n';
import { Button } from '../../ui/button';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog';
import { Page, Section } from '../../ui/page';
import { SettingsTabs } from './settings-tabs';
import { useUpdateCompany } from './use-update-company';

export const DangerScreen = () => (
  <Page title={t('settings.tab.danger')} toolbar={<SettingsTabs />} width="measure">
    {useIsOwner() && (
      <>
        <Running />
        <Deletion />
      </>
    )}
  </Page>
);

function Running() {
  const company = useCompany();
  const update = useUpdateCompany();
  const [isArchiving, setArchiving] = useState(false);
  if (company.status === 'archived') return null;
  const isPaused = company.status === 'paused';
  return (
    <Section title={t('settings.running')}>
      <p className="mb-3 text-sm text-muted">
        {t(isPaused ? 'settings.pausedText' : 'settings.activeText')}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button
          tone={isPaused ? 'primary' : 'plain'}
          isBusy={update.isPending}
          onClick={() => update.mutate({ status: isPaused ? 'active' : 'paused' })}
        >
          {t(isPaused ? 'settings.resume' : 'settings.pause')}
        </Button>
        <Button tone="danger" onClick={() => setArchiving(true)}>
          {t('settings.archive')}
        </Button>
      </div>
      {isArchiving && <Archive onClose={() => setArchiving(false)} />}
    </Section>
  );
}

function Archive({ onClose }: { onClose: () => void }) {
  const { id: companyId, name } = useCompany();
  const archiving = useSend(
    () =>
      unwrap(api.POST('/api/companies/{companyId}/archive', { params: { path: { companyId } } })),
    { onDone: onClose },
  );
  return (
    <ConfirmDialog
      title={t('settings.archive')}
      submit={t('settings.archive')}
      word={name}
      wordLabel={t('settings.archiveConfirm', { name })}
      isBusy={archiving.isPending}
      onConfirm={() => archiving.mutate(undefined)}
      onClose={onClose}
    >
      {t('settings.archiveText')}
    </ConfirmDialog>
  );
}

function Deletion() {
  const isArchived = useCompany().status === 'archived';
  const [isDeleting, setDeleting] = useState(false);
  return (
    <Section title={t('settings.delete')}>
      <p className="mb-3 text-sm text-muted">
        {t(isArchived ? 'settings.deleteText' : 'settings.deleteLater')}
      </p>
      {isArchived && (
        <Button tone="danger" onClick={() => setDeleting(true)}>
          {t('settings.delete')}
        </Button>
      )}
      {isDeleting && <Delete onClose={() => setDeleting(false)} />}
    </Section>
  );
}

function Delete({ onClose }: { onClose: () => void }) {
  const { id: companyId, name } = useCompany();
  const deleting = useSend(
    () =>
      unwrap(
        api.DELETE('/api/companies/{companyId}', {
          params: { path: { companyId } },
          body: { name },
        }),
      ),
    { onDone: () => window.location.assign('/') },
  );
  return (
    <ConfirmDialog
      title={t('settings.delete')}
      submit={t('settings.delete')}
      word={name}
      wordLabel={t('settings.archiveConfirm', { name })}
      isBusy={deleting.isPending}
      onConfirm={() => deleting.mutate(undefined)}
      onClose={onClose}
    >
      {t('settings.deleteConfirm')}
    </ConfirmDialog>
  );
}

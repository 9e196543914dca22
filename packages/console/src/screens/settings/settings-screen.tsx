import { unwrap } from '@switchyard/client';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../data/api';
import { useCompany } from '../../data/company';
import { useIsOwner } from '../../data/rights';
import { useSend } from '../../data/send';
import { t, word } from '../../i18n';
import { formatCents } from '../../i18n/formats';
import { Button } from '../../ui/button';
import { FormDialog } from '../../ui/dialogs/form-dialog';
import { InputField, TextareaField } from '../../ui/field';
import { Tag } from '../../ui/marks';
import { Facts, Page, Section } from '../../ui/page';
import { showToast } from '../../ui/toast';
import { AllowedHosts } from './allowed-hosts';
import { Labels } from './labels';
import { type CompanyChanges, useUpdateCompany } from './use-update-company';

export function SettingsScreen() {
  const company = useCompany();
  const isOwner = useIsOwner();
  return (
    <Page
      title={t('nav.settings')}
      width="measure"
      aside={
        company.status !== 'active' && (
          <Tag tone="warn">{word('companyStatus', company.status)}</Tag>
        )
      }
    >
      {isOwner && company.status !== 'archived' ? <General key={company.updatedAt} /> : <About />}
      <Labels />
      <Webhooks />
      <AllowedHosts key={JSON.stringify(company.egressAllowList)} />
      {isOwner && <Running />}
    </Page>
  );
}

function General() {
  const company = useCompany();
  const [name, setName] = useState(company.name);
  const [description, setDescription] = useState(company.description ?? '');
  const [budget, setBudget] = useState(String(company.budgetMonthlyCents / 100));
  const update = useUpdateCompany(() => showToast({ text: t('action.saved') }));
  const cents = Math.round(Number(budget || 0) * 100);
  const changes: CompanyChanges = {
    ...(name.trim() !== company.name && { name: name.trim() }),
    ...(description.trim() !== (company.description ?? '') && {
      description: description.trim() || null,
    }),
    ...(cents !== company.budgetMonthlyCents && {
      budgetMonthlyCents: cents,
      ...(cents === 0 && { confirmUnlimited: true }),
    }),
  };
  return (
    <Section title={t('settings.general')}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          update.mutate(changes);
        }}
      >
        <InputField
          label={t('field.name')}
          required
          maxLength={200}
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
        <TextareaField
          label={t('field.description')}
          value={description}
          onChange={({ target }) => setDescription(target.value)}
        />
        <InputField
          label={t('field.budgetMonthly')}
          hint={t('settings.budgetHint', { spent: formatCents(company.spentMonthlyCents) })}
          type="number"
          min="0"
          step="0.01"
          inputMode="decimal"
          value={budget}
          onChange={({ target }) => setBudget(target.value)}
        />
        <Button
          type="submit"
          tone="primary"
          className="self-start"
          isBusy={update.isPending}
          disabled={Object.keys(changes).length === 0}
        >
          {t('action.save')}
        </Button>
      </form>
    </Section>
  );
}

function Webhooks() {
  const { issuePrefix: company } = useCompany();
  return (
    <Section title={t('webhooks.title')}>
      <Link
        to="/$company/settings/webhooks"
        params={{ company }}
        className="text-sm text-accent hover:underline"
      >
        {t('webhooks.manage')}
      </Link>
    </Section>
  );
}

function About() {
  const { name, description, budgetMonthlyCents } = useCompany();
  return (
    <Section title={t('settings.general')}>
      <Facts
        facts={[
          [t('field.name'), name],
          description !== null && [t('field.description'), description],
          [
            t('costs.budget'),
            budgetMonthlyCents === 0
              ? t('money.unlimited')
              : `${formatCents(budgetMonthlyCents)} ${t('money.perMonth')}`,
          ],
        ]}
      />
    </Section>
  );
}

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
  const [typed, setTyped] = useState('');
  const archiving = useSend(
    () =>
      unwrap(api.POST('/api/companies/{companyId}/archive', { params: { path: { companyId } } })),
    { onDone: onClose },
  );
  return (
    <FormDialog
      title={t('settings.archive')}
      submit={t('settings.archive')}
      tone="danger"
      isBusy={archiving.isPending}
      isIncomplete={typed !== name}
      onSubmit={() => archiving.mutate(undefined)}
      onClose={onClose}
    >
      <p className="text-sm">{t('settings.archiveText')}</p>
      <InputField
        label={t('settings.archiveConfirm', { name })}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
    </FormDialog>
  );
}

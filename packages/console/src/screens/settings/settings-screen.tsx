import { useCompany } from '../../data/company';
import { useHeld } from '../../data/draft';
import { useIsOwner } from '../../data/rights';
import { t, word } from '../../i18n';
import { formatCents } from '../../i18n/formats';
import { Button } from '../../ui/button';
import { InputField, TextareaField } from '../../ui/field';
import { Tag } from '../../ui/marks';
import { Facts, Page, Section } from '../../ui/page';
import { showToast } from '../../ui/toast';
import { AllowedHosts } from './allowed-hosts';
import { Labels } from './labels';
import { Limits } from './limits';
import { SettingsTabs } from './settings-tabs';
import { type CompanyChanges, useUpdateCompany } from './use-update-company';

export function SettingsScreen() {
  const company = useCompany();
  const isOwner = useIsOwner();
  return (
    <Page
      title={t('nav.settings')}
      width="measure"
      toolbar={<SettingsTabs />}
      aside={
        company.status !== 'active' && (
          <Tag tone="warn">{word('companyStatus', company.status)}</Tag>
        )
      }
    >
      {isOwner && company.status !== 'archived' ? <General key={company.updatedAt} /> : <About />}
      <Labels />
      <Limits />
      <AllowedHosts key={JSON.stringify(company.egressAllowList)} />
    </Page>
  );
}

function General() {
  const company = useCompany();
  const held = useHeld(`company ${company.id}`, {
    name: company.name,
    description: company.description ?? '',
    budget: String(company.budgetMonthlyCents / 100),
  });
  const { name, description, budget } = held.value;
  const update = useUpdateCompany(() => {
    held.clear();
    showToast({ text: t('action.saved') });
  });
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
          onChange={({ target }) => held.change({ name: target.value })}
        />
        <TextareaField
          label={t('field.description')}
          value={description}
          onChange={({ target }) => held.change({ description: target.value })}
        />
        <InputField
          label={t('field.budgetMonthly')}
          hint={t('settings.budgetHint', { spent: formatCents(company.spentMonthlyCents) })}
          type="number"
          min="0"
          step="0.01"
          inputMode="decimal"
          value={budget}
          onChange={({ target }) => held.change({ budget: target.value })}
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

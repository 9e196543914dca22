import { useCompany } from '../../data/company';
import { useHeld } from '../../data/draft';
import { useIsOwner } from '../../data/rights';
import { t } from '../../i18n';
import { Button } from '../../ui/button';
import { Checkbox, TextareaField } from '../../ui/field';
import { Section } from '../../ui/page';
import { showToast } from '../../ui/toast';
import { useUpdateCompany } from './use-update-company';

export function AllowedHosts() {
  const company = useCompany();
  const isOwner = useIsOwner();
  return (
    <Section title={t('settings.hosts')}>
      {isOwner && company.status !== 'archived' ? <HostsForm /> : <Hosts />}
    </Section>
  );
}

function HostsForm() {
  const { id, egressAllowList: stored } = useCompany();
  const held = useHeld(`allowed hosts ${id}`, {
    isLimited: stored !== null,
    text: (stored ?? []).join('\n'),
  });
  const { isLimited, text } = held.value;
  const update = useUpdateCompany(() => {
    held.clear();
    showToast({ text: t('action.saved') });
  });
  const list = isLimited ? hostsOf(text) : null;
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        update.mutate({ egressAllowList: list });
      }}
    >
      <Checkbox
        label={t('settings.hostsLimited')}
        checked={isLimited}
        onChange={({ target }) => held.change({ isLimited: target.checked })}
      />
      {isLimited && (
        <TextareaField
          label={t('settings.hostsList')}
          hint={t('settings.hostsHint')}
          spellCheck={false}
          autoCapitalize="none"
          value={text}
          onChange={({ target }) => held.change({ text: target.value })}
        />
      )}
      <Button
        type="submit"
        tone="primary"
        className="self-start"
        isBusy={update.isPending}
        disabled={JSON.stringify(list) === JSON.stringify(stored)}
      >
        {t('settings.hostsApply')}
      </Button>
    </form>
  );
}

function Hosts() {
  const { egressAllowList } = useCompany();
  if (egressAllowList?.length) return <p className="text-sm">{egressAllowList.join(', ')}</p>;
  const text = egressAllowList === null ? 'settings.hostsAny' : 'settings.hostsNone';
  return <p className="text-sm text-muted">{t(text)}</p>;
}

function hostsOf(text: string): string[] {
  const hosts = text.toLowerCase().split(/[\s,]+/);
  return [...new Set(hosts.filter((host) => host !== ''))];
}

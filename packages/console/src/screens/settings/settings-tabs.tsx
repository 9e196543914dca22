import { useCompany } from '../../data/company';
import { useIsOwner } from '../../data/rights';
import { t } from '../../i18n';
import { Tabs } from '../../ui/page';

export function SettingsTabs() {
  const { issuePrefix: company } = useCompany();
  const isOwner = useIsOwner();
  const places = [
    ['/$company/settings', 'settings.tab.company'],
    ['/$company/people', 'nav.people'],
    ['/account', 'settings.tab.tokens'],
    ...(isOwner ? ([['/$company/settings/runners', 'settings.tab.runners']] as const) : []),
    ['/$company/settings/webhooks', 'settings.tab.webhooks'],
    ...(isOwner ? ([['/$company/settings/danger', 'settings.tab.danger']] as const) : []),
  ] as const;
  return (
    <Tabs
      tabs={places.map(([to, label]) => ({ label: t(label), link: { to, params: { company } } }))}
    />
  );
}

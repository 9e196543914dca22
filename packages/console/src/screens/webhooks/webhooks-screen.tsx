import { Plus, Webhook } from 'lucide-react';
import { useState } from 'react';
import { useCompany } from '../../data/company';
import { useRead } from '../../data/read';
import { useMayWrite } from '../../data/rights';
import { t } from '../../i18n';
import { Button } from '../../ui/button';
import { Page, Panel } from '../../ui/page';
import { Empty, Loading } from '../../ui/states';
import { SettingsTabs } from '../settings/settings-tabs';
import { NewEndpoint } from './endpoint-form';
import { EndpointRow } from './endpoint-row';

/** Polls, because no event announces that deliveries to an endpoint fail, or succeed again. */
const REREAD_MS = 3_000;

export function WebhooksScreen() {
  const { id: companyId } = useCompany();
  const endpoints = useRead(
    '/api/companies/{companyId}/endpoints',
    { path: { companyId } },
    { rereadMs: (all) => (all.some(({ status }) => status === 'enabled') ? REREAD_MS : false) },
  );
  const [isAdding, setAdding] = useState(false);
  const add = useMayWrite() && (
    <Button tone="primary" icon={Plus} onClick={() => setAdding(true)}>
      {t('webhooks.new')}
    </Button>
  );
  return (
    <Page title={t('webhooks.title')} toolbar={<SettingsTabs />} width="measure" actions={add}>
      <Loading of={endpoints}>
        {(all) =>
          all.length === 0 ? (
            <Empty icon={Webhook} title={t('webhooks.empty')} action={add}>
              {t('webhooks.about')}
            </Empty>
          ) : (
            <Panel>
              <ul>
                {all.map((endpoint) => (
                  <EndpointRow key={endpoint.id} endpoint={endpoint} />
                ))}
              </ul>
            </Panel>
          )
        }
      </Loading>
      {isAdding && <NewEndpoint onClose={() => setAdding(false)} />}
    </Page>
  );
}

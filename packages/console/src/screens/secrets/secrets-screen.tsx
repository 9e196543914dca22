import { KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';
import type { Schemas } from '../../data/api';
import { useCompany } from '../../data/company';
import { useRead } from '../../data/read';
import { useMayWrite } from '../../data/rights';
import { t } from '../../i18n';
import { formatCount } from '../../i18n/formats';
import { Button } from '../../ui/button';
import { Page } from '../../ui/page';
import { Empty, Loading } from '../../ui/states';
import { Ago } from '../../ui/time';
import { CreateSecret, SecretDetails } from './secret-forms';

export function SecretsScreen() {
  const { id: companyId } = useCompany();
  const secrets = useRead('/api/companies/{companyId}/secrets', { path: { companyId } });
  const [opened, setOpened] = useState<Schemas['ListedSecret'] | 'new'>();
  const close = () => setOpened(undefined);
  const create = useMayWrite() && (
    <Button icon={Plus} onClick={() => setOpened('new')}>
      {t('secrets.new')}
    </Button>
  );
  return (
    <Page
      title={t('nav.secrets')}
      aside={secrets.data && secrets.data.length > 0 && formatCount(secrets.data.length)}
      actions={create}
    >
      <Loading of={secrets}>
        {(all) =>
          all.length === 0 ? (
            <Empty icon={KeyRound} title={t('secrets.empty')} action={create}>
              {t('secrets.emptyText')}
            </Empty>
          ) : (
            <ul>
              {all.map((secret) => (
                <li key={secret.id}>
                  <button
                    type="button"
                    onClick={() => setOpened(secret)}
                    className="flex min-h-11 w-full items-center gap-x-4 border-b border-line bg-surface px-4 py-1.5 text-left hover:bg-hover max-md:flex-wrap"
                  >
                    <span className="flex min-w-0 flex-1 items-center gap-3 overflow-hidden max-md:basis-full">
                      <KeyRound size={15} aria-hidden className="shrink-0 text-muted" />
                      <span className="max-w-full shrink-0 truncate font-mono text-sm font-medium">
                        {secret.name}
                      </span>
                      <span className="min-w-0 truncate text-sm text-muted max-md:hidden">
                        {secret.description}
                      </span>
                    </span>
                    <span className="w-24 text-sm text-muted max-md:w-auto max-md:pl-7">
                      {t('secrets.usedByCount', { count: secret.usedByCount })}
                    </span>
                    <span className="w-20 text-sm text-muted max-md:w-auto max-md:flex-1">
                      {t('secrets.version', { version: secret.latestVersion })}
                    </span>
                    <span className="w-28 truncate text-sm text-muted max-lg:hidden">
                      {secret.createdByName}
                    </span>
                    <Ago
                      at={secret.updatedAt}
                      className="w-16 text-right text-sm whitespace-nowrap text-muted"
                    />
                  </button>
                </li>
              ))}
            </ul>
          )
        }
      </Loading>
      {opened === 'new' && <CreateSecret onClose={close} />}
      {opened && opened !== 'new' && <SecretDetails secret={opened} onClose={close} />}
    </Page>
  );
}

import { KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';
import type { Schemas } from '../../data/api';
import { useCompany } from '../../data/company';
import { useRead } from '../../data/read';
import { t } from '../../i18n';
import { Button } from '../../ui/button';
import { Page } from '../../ui/page';
import { Empty, Loading } from '../../ui/states';
import { Ago } from '../../ui/time';
import { CreateSecret, SecretDetails } from './secret-forms';

/** Values that agents get at the start of a run and that nobody can read again. */
export function SecretsScreen() {
  const { id: companyId } = useCompany();
  const secrets = useRead('/api/companies/{companyId}/secrets', { path: { companyId } });
  const [opened, setOpened] = useState<Schemas['ListedSecret'] | 'new'>();
  const close = () => setOpened(undefined);
  return (
    <Page
      title={t('nav.secrets')}
      actions={
        <Button icon={Plus} onClick={() => setOpened('new')}>
          {t('secrets.new')}
        </Button>
      }
    >
      <Loading of={secrets}>
        {(all) =>
          all.length === 0 ? (
            <Empty icon={KeyRound} title={t('secrets.empty')}>
              {t('secrets.emptyText')}
            </Empty>
          ) : (
            <ul>
              {all.map((secret) => (
                <li key={secret.id}>
                  <button
                    type="button"
                    onClick={() => setOpened(secret)}
                    className="flex min-h-11 w-full items-center gap-3 border-b border-line bg-surface px-4 text-left hover:bg-hover"
                  >
                    <KeyRound size={15} aria-hidden className="shrink-0 text-muted" />
                    <span className="truncate font-mono text-sm font-medium">{secret.name}</span>
                    <span className="min-w-0 flex-1 truncate text-sm text-muted">
                      {secret.description}
                    </span>
                    <span className="text-sm text-muted max-md:hidden">
                      {t('secrets.version', { version: secret.latestVersion })}
                    </span>
                    <span className="text-sm text-muted max-lg:hidden">{secret.createdByName}</span>
                    <Ago at={secret.updatedAt} className="w-16 text-right text-sm text-muted" />
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

import { KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';
import type { Schemas } from '../../data/api';
import { useCompany } from '../../data/company';
import { useRead } from '../../data/read';
import { useMayWrite } from '../../data/rights';
import { t } from '../../i18n';
import { formatCount } from '../../i18n/formats';
import { Button } from '../../ui/button';
import { classNames } from '../../ui/class-names';
import { ListScreen } from '../../ui/list-screen';
import { Empty } from '../../ui/states';
import { Ago } from '../../ui/time';
import { CreateSecret, SecretDetails } from './secret-forms';

export function SecretsScreen() {
  const { id: companyId } = useCompany();
  const secrets = useRead('/api/companies/{companyId}/secrets', { path: { companyId } });
  const [opened, setOpened] = useState<Schemas['ListedSecret'] | 'new'>();
  const close = () => setOpened(undefined);
  const create = useMayWrite() && (
    <Button tone="primary" icon={Plus} onClick={() => setOpened('new')}>
      {t('secrets.new')}
    </Button>
  );
  return (
    <ListScreen
      title={t('nav.secrets')}
      aside={secrets.data?.length ? formatCount(secrets.data.length) : undefined}
      actions={create}
      of={secrets}
      rows={secrets.data}
      heights={[44, 60]}
      heads={[
        [t('field.name'), 'flex-1'],
        [t('secrets.usedBy'), CELLS.used],
        [t('secrets.versionHead'), CELLS.version],
        [t('secrets.createdBy'), CELLS.creator],
        [t('secrets.changed'), CELLS.changed],
      ]}
      empty={
        <Empty icon={KeyRound} title={t('secrets.empty')} action={create}>
          {t('secrets.emptyText')}
        </Empty>
      }
      onOpen={setOpened}
      render={(secret) => (
        <button
          type="button"
          onClick={() => setOpened(secret)}
          className="flex size-full items-center gap-x-3 px-4 text-left max-md:flex-wrap max-md:content-center"
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
          <span className={classNames(CELLS.used, 'text-sm text-muted max-md:w-auto max-md:pl-7')}>
            {t('secrets.usedByCount', { count: secret.usedByCount })}
          </span>
          <span className={classNames(CELLS.version, 'text-sm text-muted max-md:flex-1')}>
            {t('secrets.version', { version: secret.latestVersion })}
          </span>
          <span className={classNames(CELLS.creator, 'truncate text-sm text-muted')}>
            {secret.createdByName}
          </span>
          <Ago
            at={secret.updatedAt}
            className={classNames(CELLS.changed, 'text-sm whitespace-nowrap text-muted')}
          />
        </button>
      )}
    >
      {opened === 'new' && <CreateSecret onClose={close} />}
      {opened && opened !== 'new' && <SecretDetails secret={opened} onClose={close} />}
    </ListScreen>
  );
}

const CELLS = {
  used: 'w-24 shrink-0',
  version: 'w-20 shrink-0',
  creator: 'w-28 shrink-0 max-lg:hidden',
  changed: 'w-20 shrink-0 text-right',
};

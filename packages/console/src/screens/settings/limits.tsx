import { unwrap } from '@switchyard/client';
import { useState } from 'react';
import { api, type Schemas } from '../../data/api';
import { useCompany } from '../../data/company';
import { useWhole } from '../../data/read';
import { useMayWrite } from '../../data/rights';
import { useSend } from '../../data/send';
import { t } from '../../i18n';
import { Button } from '../../ui/button';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog';
import { InputField } from '../../ui/field';
import { Panel, Section } from '../../ui/page';
import { Loading } from '../../ui/states';

type Limit = Schemas['RunLimit'];

const PATH = '/api/companies/{companyId}/run-limits';
const LIMIT = `${PATH}/{runLimitId}` as const;

export function Limits() {
  const { id: companyId } = useCompany();
  const mayWrite = useMayWrite();
  const limits = useWhole(PATH, { path: { companyId } });
  return (
    <Section title={t('settings.limits')}>
      <Loading of={limits}>
        {(all) => (
          <>
            {all.length === 0 ? (
              <p className="text-sm text-muted">{t('settings.noLimits')}</p>
            ) : (
              <Panel>
                {all.map((limit) => (
                  <LimitRow key={limit.id} limit={limit} mayWrite={mayWrite} />
                ))}
              </Panel>
            )}
            {mayWrite && <NewLimit />}
          </>
        )}
      </Loading>
    </Section>
  );
}

function LimitRow({ limit, mayWrite }: { limit: Limit; mayWrite: boolean }) {
  const { key, companyId, id: runLimitId, isPaused, running, maxRunning } = limit;
  const [isLeaving, setLeaving] = useState(false);
  const params = { path: { companyId, runLimitId } };
  const change = useSend((body: Schemas['UpdateRunLimitBody']) =>
    unwrap(api.PATCH(LIMIT, { params, body })),
  );
  const removing = useSend(() => unwrap(api.DELETE(LIMIT, { params })), {
    onDone: () => setLeaving(false),
  });
  return (
    <div className="flex min-h-10 items-center gap-3 border-b border-line px-4 last:border-0">
      <span className="min-w-0 flex-1 truncate">{key}</span>
      <span className="text-sm text-muted">
        {isPaused ? t('settings.limitPaused') : t('settings.limitUse', { running, maxRunning })}
      </span>
      {mayWrite && (
        <>
          <Button
            tone="quiet"
            aria-label={t(isPaused ? 'settings.resumeLimit' : 'settings.pauseLimit', { key })}
            isBusy={change.isPending}
            onClick={() => change.mutate({ isPaused: !isPaused })}
          >
            {t(isPaused ? 'agents.resume' : 'agents.pause')}
          </Button>
          <Button
            tone="quiet"
            aria-label={t('settings.deleteLimit', { key })}
            onClick={() => setLeaving(true)}
          >
            {t('action.delete')}
          </Button>
        </>
      )}
      {isLeaving && (
        <ConfirmDialog
          title={t('settings.deleteLimit', { key })}
          submit={t('action.delete')}
          isBusy={removing.isPending}
          onConfirm={() => removing.mutate(undefined)}
          onClose={() => setLeaving(false)}
        >
          {t('settings.deleteLimitText')}
        </ConfirmDialog>
      )}
    </div>
  );
}

function NewLimit() {
  const { id: companyId } = useCompany();
  const [{ key, maxRunning }, setDraft] = useState({ key: '', maxRunning: 1 });
  const create = useSend(
    (body: Schemas['CreateRunLimitBody']) =>
      unwrap(api.POST(PATH, { params: { path: { companyId } }, body })),
    { onDone: () => setDraft({ key: '', maxRunning: 1 }) },
  );
  return (
    <form
      className="mt-3 flex flex-wrap items-end gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        create.mutate({ key, maxRunning });
      }}
    >
      <InputField
        label={t('settings.limitKey')}
        required
        maxLength={64}
        pattern="[a-z0-9][a-z0-9:._\/\-]*"
        hint={t('settings.limitKeyHint')}
        value={key}
        onChange={({ target }) => setDraft({ key: target.value, maxRunning })}
      />
      <InputField
        label={t('settings.limitCount')}
        type="number"
        min={1}
        max={10_000}
        className="max-w-24"
        value={maxRunning}
        onChange={({ target }) => setDraft({ key, maxRunning: Number(target.value) })}
      />
      <Button type="submit" isBusy={create.isPending}>
        {t('settings.addLimit')}
      </Button>
    </form>
  );
}

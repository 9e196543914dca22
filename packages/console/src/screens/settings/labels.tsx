import { unwrap } from '@switchyard/client';
import { useState } from 'react';
import { api, type Schemas } from '../../data/api';
import { useLabels } from '../../data/directory';
import { useMayWrite } from '../../data/rights';
import { useSend } from '../../data/send';
import { t } from '../../i18n';
import { Button } from '../../ui/button';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog';
import { Panel, Section } from '../../ui/page';
import { Loading } from '../../ui/states';

export function Labels() {
  const mayWrite = useMayWrite();
  const labels = useLabels();
  const [leaving, setLeaving] = useState<Schemas['Label']>();
  const removing = useSend(
    (labelId: string) =>
      unwrap(api.DELETE('/api/labels/{labelId}', { params: { path: { labelId } } })),
    { onDone: () => setLeaving(undefined) },
  );
  return (
    <Section title={t('settings.labels')}>
      <Loading of={labels}>
        {(all) =>
          all.length === 0 ? (
            <p className="text-sm text-muted">{t('settings.noLabels')}</p>
          ) : (
            <Panel>
              {all.map((label) => (
                <div
                  key={label.id}
                  className="flex min-h-10 items-center gap-3 border-b border-line px-4 last:border-0"
                >
                  <span
                    aria-hidden
                    className="size-2.5 rounded-full border border-line-strong"
                    style={{ background: label.color ?? undefined }}
                  />
                  <span className="min-w-0 flex-1 truncate">{label.name}</span>
                  <span className="text-sm text-muted">
                    {t('goals.issues', { total: label.issueCount })}
                  </span>
                  {mayWrite && (
                    <Button
                      tone="quiet"
                      aria-label={t('settings.deleteLabel', { name: label.name })}
                      onClick={() => setLeaving(label)}
                    >
                      {t('action.delete')}
                    </Button>
                  )}
                </div>
              ))}
            </Panel>
          )
        }
      </Loading>
      {leaving && (
        <ConfirmDialog
          title={t('settings.deleteLabel', { name: leaving.name })}
          submit={t('action.delete')}
          isBusy={removing.isPending}
          onConfirm={() => removing.mutate(leaving.id)}
          onClose={() => setLeaving(undefined)}
        >
          {t('settings.deleteLabelText')}
        </ConfirmDialog>
      )}
    </Section>
  );
}

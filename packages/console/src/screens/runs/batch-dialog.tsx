import { useEffect, useState } from 'react';
import { sentenceOf } from '../../data/api';
import { useCompany } from '../../data/company';
import { t } from '../../i18n';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/dialogs/dialog';
import { showToast } from '../../ui/toast';
import { type BatchResult, type Chosen, changeBatch, countBatch, type Verb } from './batch';

interface BatchDialogProps {
  verb: Verb;
  chosen: Chosen;
  isEverything: boolean;
  onClose: () => void;
}

export function BatchDialog({ verb, chosen, isEverything, onClose }: BatchDialogProps) {
  const { id: companyId } = useCompany();
  const [count, setCount] = useState<number>();
  const [error, setError] = useState<unknown>();
  const [done, setDone] = useState<number>();
  const [refused, setRefused] = useState<BatchResult['refused']>([]);
  useEffect(() => {
    countBatch(companyId, verb, chosen).then(setCount, setError);
  }, [companyId, verb, chosen]);
  const change = async () => {
    setDone(0);
    try {
      const result = await changeBatch(companyId, verb, chosen, setDone);
      const text = t(verb === 'cancel' ? 'runs.batch.cancelled' : 'runs.batch.retried', {
        count: result.done,
      });
      showToast({ text });
      if (result.refused.length === 0) return onClose();
      setRefused(result.refused);
    } catch (failure) {
      setError(failure);
    }
    setCount(undefined);
  };
  const isBusy = done !== undefined && refused.length === 0 && !error;
  return (
    <Dialog
      title={t(`runs.batch.${verb}Title`)}
      width="sm"
      onClose={onClose}
      footer={
        <>
          <Button tone="quiet" onClick={onClose}>
            {t('action.close')}
          </Button>
          {count !== undefined && count > 0 && (
            <Button
              tone={verb === 'cancel' ? 'danger' : 'primary'}
              isBusy={isBusy}
              onClick={() => void change()}
            >
              {t(`runs.batch.${verb}Do`, { count })}
            </Button>
          )}
        </>
      }
    >
      <div className="flex flex-col gap-2" aria-live="polite">
        {error !== undefined && <p className="text-bad">{sentenceOf(error)}</p>}
        {refused.length > 0 && <Refused refused={refused} />}
        {refused.length === 0 && error === undefined && (
          <p>
            {count === undefined
              ? t('runs.batch.counting')
              : isBusy
                ? t('runs.batch.progress', { done, count })
                : t(`runs.batch.${verb}Count`, { count })}
          </p>
        )}
        {isEverything && <p className="text-warn">{t('runs.batch.allOfCompany')}</p>}
      </div>
    </Dialog>
  );
}

function Refused({ refused }: { refused: BatchResult['refused'] }) {
  const counts = new Map<string, number>();
  for (const { message } of refused) counts.set(message, (counts.get(message) ?? 0) + 1);
  return (
    <>
      <p>{t('runs.batch.refused', { count: refused.length })}</p>
      <ul className="list-disc pl-5 text-sm text-muted">
        {[...counts].map(([message, count]) => (
          <li key={message}>
            {count > 1 && `${count} × `}
            {message}
          </li>
        ))}
      </ul>
    </>
  );
}

import { unwrap } from '@switchyard/client';
import { useNavigate } from '@tanstack/react-router';
import { RotateCcw, Square } from 'lucide-react';
import { useState } from 'react';
import { api } from '../../data/api';
import { useCompany } from '../../data/company';
import { useMayWrite } from '../../data/rights';
import { useSend } from '../../data/send';
import { t } from '../../i18n';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/dialogs/dialog';
import { showToast } from '../../ui/toast';
import type { Run } from './run';

export function RunActions({ run }: { run: Run }) {
  const { issuePrefix: company } = useCompany();
  const navigate = useNavigate();
  const mayWrite = useMayWrite();
  const [isAsked, setAsked] = useState(false);
  const params = { path: { runId: run.id } };
  const cancel = useSend(() => unwrap(api.POST('/api/heartbeat-runs/{runId}/cancel', { params })), {
    onDone: () => showToast({ text: t('run.cancelled') }),
  });
  const retry = useSend(() => unwrap(api.POST('/api/heartbeat-runs/{runId}/retry', { params })), {
    onDone: ({ id }) =>
      showToast({
        text: t('run.retried'),
        action: {
          label: t('run.open'),
          run: () => void navigate({ to: '/$company/runs/$run', params: { company, run: id } }),
        },
      }),
  });
  if (!mayWrite) return null;
  if (run.status === 'queued' || run.status === 'running') {
    return (
      <>
        <Button
          tone="danger"
          icon={Square}
          isBusy={cancel.isPending}
          onClick={() => setAsked(true)}
        >
          {t('run.cancelRun')}
        </Button>
        {isAsked && (
          <Dialog
            title={t('run.cancelTitle')}
            width="sm"
            onClose={() => setAsked(false)}
            footer={
              <>
                <Button tone="quiet" onClick={() => setAsked(false)}>
                  {t('run.keep')}
                </Button>
                <Button
                  tone="danger"
                  onClick={() => {
                    setAsked(false);
                    cancel.mutate(undefined);
                  }}
                >
                  {t('run.cancelRun')}
                </Button>
              </>
            }
          >
            <p>{t('run.cancelText')}</p>
          </Dialog>
        )}
      </>
    );
  }
  if (run.status === 'succeeded') return null;
  return (
    <Button icon={RotateCcw} isBusy={retry.isPending} onClick={() => retry.mutate(undefined)}>
      {t('runs.retry')}
    </Button>
  );
}

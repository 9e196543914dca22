import { unwrap } from '@switchyard/client';
import { api, type Schemas } from '../../data/api';
import { useDraft } from '../../data/draft';
import { useMayWrite } from '../../data/rights';
import { useSend } from '../../data/send';
import { t } from '../../i18n';
import { Button } from '../../ui/button';
import { InputField, TextareaField } from '../../ui/field';
import { Section } from '../../ui/page';
import { type Option, Options } from './options';

type Approval = Schemas['Approval'];
type Step = 'approve' | 'reject' | 'request-revision';

const isOpen = (status: Approval['status']) => status === 'pending' || status === 'resubmitted';

export function Decide({ approval, onDone: after }: { approval: Approval; onDone?: () => void }) {
  const [note, setNote] = useDraft(`approval ${approval.id}`);
  const onDone = () => {
    setNote('');
    setDollars('');
    after?.();
  };
  const isHire = approval.type === 'hire_agent';
  const [dollars, setDollars] = useDraft(`approval budget ${approval.id}`);
  const budget = dollars.trim() ? Math.round(Number(dollars) * 100) : undefined;
  const deciding = useSend((step: Step) => decide(approval.id, step, note.trim(), budget), {
    optimistic: (step) => ({ id: approval.id, changes: { status: STATUS_AFTER[step] } }),
    onDone,
  });
  const answering = useSend(
    (option: string | undefined) => answer(approval.id, option, note.trim()),
    { optimistic: () => ({ id: approval.id, changes: { status: 'approved' } }), onDone },
  );
  const options = optionsOf(approval);
  const mayWrite = useMayWrite();
  if (!mayWrite || !isOpen(approval.status)) return null;
  const isBusy = deciding.isPending || answering.isPending;
  const isQuestion = approval.type === 'board_question';
  return (
    <Section title={t(isQuestion ? 'approval.yourAnswer' : 'approval.yourDecision')}>
      <div className="flex flex-col gap-3">
        {isHire && (
          <InputField
            label={t('agent.budgetField')}
            isOptional
            hint={t('approval.budgetHint')}
            type="number"
            min={0}
            step="0.01"
            inputMode="decimal"
            className="max-w-48"
            placeholder={askedBudget(approval)}
            value={dollars}
            onChange={(event) => setDollars(event.target.value)}
          />
        )}
        <TextareaField
          label={t(isQuestion && options.length === 0 ? 'inboxField.option' : 'inboxField.note')}
          isOptional={!isQuestion || options.length > 0}
          rows={2}
          value={note}
          onChange={(event) => setNote(event.target.value)}
        />
        {options.length > 0 && (
          <Options
            options={options}
            recommended={approval.payload.recommended}
            isBusy={isBusy}
            onChoose={(option) => answering.mutate(option)}
          />
        )}
        <div className="flex flex-wrap gap-2">
          {isQuestion ? (
            options.length === 0 && (
              <Button
                tone="primary"
                isBusy={isBusy}
                disabled={note.trim() === ''}
                onClick={() => answering.mutate(undefined)}
              >
                {t('approval.answer')}
              </Button>
            )
          ) : (
            <>
              <Button tone="primary" isBusy={isBusy} onClick={() => deciding.mutate('approve')}>
                {t('approval.approve')}
              </Button>
              <Button isBusy={isBusy} onClick={() => deciding.mutate('request-revision')}>
                {t('approval.askForChange')}
              </Button>
            </>
          )}
          <Button tone="danger" isBusy={isBusy} onClick={() => deciding.mutate('reject')}>
            {t(isQuestion ? 'approval.leaveUnanswered' : 'approval.reject')}
          </Button>
        </div>
      </div>
    </Section>
  );
}

const STATUS_AFTER: Record<Step, Approval['status']> = {
  approve: 'approved',
  reject: 'rejected',
  'request-revision': 'revision_requested',
};

function askedBudget({ payload }: Approval): string {
  const cents = payload.budgetMonthlyCents;
  return typeof cents === 'number' && cents > 0 ? String(cents / 100) : '';
}

function decide(
  approvalId: string,
  step: Step,
  note: string,
  budgetMonthlyCents: number | undefined,
): Promise<unknown> {
  const params = { path: { approvalId } };
  const body = note ? { decisionNote: note } : {};
  switch (step) {
    case 'approve':
      return unwrap(
        api.POST('/api/approvals/{approvalId}/approve', {
          params,
          body: { ...body, ...(budgetMonthlyCents !== undefined && { budgetMonthlyCents }) },
        }),
      );
    case 'reject':
      return unwrap(api.POST('/api/approvals/{approvalId}/reject', { params, body }));
    case 'request-revision':
      return unwrap(api.POST('/api/approvals/{approvalId}/request-revision', { params, body }));
  }
}

function answer(approvalId: string, option: string | undefined, note: string): Promise<unknown> {
  const body = { ...(option && { option }), ...(note && { note }) };
  return unwrap(
    api.POST('/api/approvals/{approvalId}/answer', { params: { path: { approvalId } }, body }),
  );
}

const optionsOf = ({ type, payload }: Approval): Option[] =>
  type === 'board_question' && Array.isArray(payload.options) ? payload.options : [];

import { unwrap } from '@switchyard/client';
import { useState } from 'react';
import { api, type Schemas } from '../../data/api';
import { useDraft } from '../../data/draft';
import { useSend } from '../../data/send';
import { t } from '../../i18n';
import { Button } from '../../ui/button';
import { classNames } from '../../ui/class-names';
import { Field, Textarea } from '../../ui/field';
import { Section } from '../../ui/page';

type Approval = Schemas['Approval'];
type Step = 'approve' | 'reject' | 'request-revision';

const isOpen = (status: Approval['status']) => status === 'pending' || status === 'resubmitted';

/** The note is common to all steps; what was typed stays until one of them is taken. */
export function Decide({ approval }: { approval: Approval }) {
  const [note, setNote] = useDraft(`approval ${approval.id}`);
  const onDone = () => setNote('');
  const params = { path: { approvalId: approval.id } };
  const deciding = useSend(
    (step: Step) => {
      const body = note.trim() ? { decisionNote: note.trim() } : {};
      if (step === 'approve')
        return unwrap(
          api.POST('/api/approvals/{approvalId}/approve', { params, body }),
        ) as Promise<unknown>;
      if (step === 'reject')
        return unwrap(api.POST('/api/approvals/{approvalId}/reject', { params, body }));
      return unwrap(api.POST('/api/approvals/{approvalId}/request-revision', { params, body }));
    },
    {
      optimistic: (step) => ({ id: approval.id, changes: { status: STATUS_AFTER[step] } }),
      onDone,
    },
  );
  const answering = useSend(
    (option: string | undefined) =>
      unwrap(
        api.POST('/api/approvals/{approvalId}/answer', {
          params,
          body: { ...(option && { option }), ...(note.trim() && { note: note.trim() }) },
        }),
      ),
    { optimistic: () => ({ id: approval.id, changes: { status: 'approved' } }), onDone },
  );
  if (!isOpen(approval.status)) return null;
  const isBusy = deciding.isPending || answering.isPending;
  const isQuestion = approval.type === 'board_question';
  return (
    <Section title={t(isQuestion ? 'approval.yourAnswer' : 'approval.yourDecision')}>
      <div className="flex flex-col gap-3">
        {isQuestion && (
          <Options
            payload={approval.payload}
            isBusy={isBusy}
            onAnswer={(option) => answering.mutate(option)}
          />
        )}
        <Field label={`${t('inboxField.note')} (${t('form.optional')})`}>
          {(control) => (
            <Textarea
              {...control}
              rows={2}
              value={note}
              onChange={(event) => setNote(event.target.value)}
            />
          )}
        </Field>
        <div className="flex flex-wrap gap-2">
          {isQuestion ? (
            <Button
              tone="primary"
              isBusy={isBusy}
              disabled={!note.trim()}
              onClick={() => answering.mutate(undefined)}
            >
              {t('approval.answerByNote')}
            </Button>
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

interface Option {
  key: string;
  label: string;
  description?: string;
}

function Options({
  payload,
  isBusy,
  onAnswer,
}: {
  payload: Record<string, unknown>;
  isBusy: boolean;
  onAnswer: (option: string) => void;
}) {
  const options = Array.isArray(payload.options) ? (payload.options as Option[]) : [];
  const recommended = typeof payload.recommended === 'string' ? payload.recommended : undefined;
  const [chosen, setChosen] = useState(recommended);
  if (options.length === 0) return null;
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="sr-only">{t('inboxField.option')}</legend>
      {options.map(({ key, label, description }) => (
        <label
          key={key}
          className={classNames(
            'flex min-h-11 items-center gap-3 rounded-md border px-3 py-2',
            key === chosen
              ? 'border-accent bg-selected'
              : 'border-line-strong bg-surface hover:bg-hover',
          )}
        >
          <input
            type="radio"
            name="option"
            value={key}
            checked={key === chosen}
            onChange={() => setChosen(key)}
            className="size-4 accent-accent-fill"
          />
          <span className="flex-1">
            <span className="font-medium">{label}</span>
            {key === recommended && (
              <span className="text-sm text-muted"> ({t('form.recommended')})</span>
            )}
            {description && <span className="block text-sm text-muted">{description}</span>}
          </span>
        </label>
      ))}
      <Button
        tone="primary"
        className="self-start"
        isBusy={isBusy}
        disabled={chosen === undefined}
        onClick={() => chosen && onAnswer(chosen)}
      >
        {t('approval.answer')}
      </Button>
    </fieldset>
  );
}

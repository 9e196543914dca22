import { unwrap } from '@switchyard/client';
import { useState } from 'react';
import { api, type Schemas } from '../../data/api';
import { usePeople } from '../../data/directory';
import { useMayWrite } from '../../data/rights';
import { useSend } from '../../data/send';
import { t } from '../../i18n';
import { formatExact } from '../../i18n/formats';
import { Button } from '../../ui/button';
import { InputField } from '../../ui/field';
import { Facts, Panel, Section } from '../../ui/page';

type Approval = Schemas['Approval'];

export function Deadline({ approval }: { approval: Approval }) {
  const { deadlineAt, deadlinePassedAt, escalation, status } = approval;
  const people = usePeople();
  const mayWrite = useMayWrite();
  const isOpen = status === 'pending' || status === 'resubmitted';
  if (!isOpen || (deadlineAt === null && escalation.length === 0 && !mayWrite)) return null;
  const nameOf = (userId: string) =>
    people.find((person) => person.userId === userId)?.name ?? t('approval.aPerson');
  return (
    <Section title={t('approval.deadline')}>
      <Panel className="p-4">
        <Facts
          facts={[
            deadlineAt !== null && [t('approval.deadlineAt'), formatExact(deadlineAt)],
            deadlineAt !== null && [
              t('approval.then'),
              deadlinePassedAt === null ? defaultOf(approval, nameOf) : t('approval.waitsOn'),
            ],
            escalation.length > 0 && [
              t('approval.escalation'),
              escalation
                .map(({ userId, afterSec, askedAt }) =>
                  t(askedAt === null ? 'approval.asksLater' : 'approval.asked', {
                    name: nameOf(userId),
                    minutes: String(Math.ceil(afterSec / 60)),
                  }),
                )
                .join(', '),
            ],
          ]}
        />
        {mayWrite && <Move approval={approval} />}
      </Panel>
    </Section>
  );
}

function defaultOf({ onDeadline, payload }: Approval, nameOf: (id: string) => string): string {
  switch (onDeadline?.action) {
    case 'answer': {
      const { option } = onDeadline;
      const all = Array.isArray(payload.options) ? payload.options : [];
      return all.find(({ key }) => key === option)?.label ?? option;
    }
    case 'reject':
      return t('approval.reject');
    case 'ask':
      return t('approval.asksNext', { name: nameOf(onDeadline.userId) });
    default:
      return t('approval.waitsOn');
  }
}

function Move({ approval }: { approval: Approval }) {
  const [at, setAt] = useState('');
  const moving = useSend((deadlineAt: string | null) =>
    unwrap(
      api.PATCH('/api/approvals/{approvalId}', {
        params: { path: { approvalId: approval.id } },
        body: { deadlineAt },
      }),
    ),
  );
  return (
    <div className="mt-3 flex flex-wrap items-end gap-2 first:mt-0">
      <InputField
        label={t('approval.newDeadline')}
        type="datetime-local"
        value={at}
        onChange={(event) => setAt(event.target.value)}
      />
      <Button
        disabled={at === ''}
        isBusy={moving.isPending}
        onClick={() => moving.mutate(new Date(at).toISOString())}
      >
        {t('approval.setDeadline')}
      </Button>
      {approval.deadlineAt !== null && (
        <Button isBusy={moving.isPending} onClick={() => moving.mutate(null)}>
          {t('approval.noDeadline')}
        </Button>
      )}
    </div>
  );
}

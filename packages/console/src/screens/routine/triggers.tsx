import { unwrap } from '@switchyard/client';
import { CalendarClock, Pencil, Plus, SquareTerminal, Trash2, Webhook } from 'lucide-react';
import { useState } from 'react';
import { api } from '../../data/api';
import { useSend } from '../../data/send';
import { t, word } from '../../i18n';
import { Button, IconButton } from '../../ui/button';
import { FormDialog } from '../../ui/dialogs/form-dialog';
import { Panel, Section } from '../../ui/page';
import { Switch } from '../../ui/switch';
import { Ago } from '../../ui/time';
import { CronInWords } from '../routines/cron-in-words';
import { EditSchedule } from './edit-schedule';
import { NewTrigger } from './new-trigger';
import { NextFirings } from './next-firings';
import type { Routine, ShownSecret, Trigger } from './routine';
import { SecretOnce } from './secret-once';
import { WebhookDetails } from './webhook-details';

const ICONS = { schedule: CalendarClock, webhook: Webhook, api: SquareTerminal } as const;

export function Triggers({ routine, mayWrite }: { routine: Routine; mayWrite: boolean }) {
  const [isNew, setNew] = useState(false);
  const [secret, setSecret] = useState<ShownSecret>();
  return (
    <Section
      title={t('routine.triggers')}
      aside={
        mayWrite && (
          <Button tone="quiet" icon={Plus} onClick={() => setNew(true)}>
            {t('routine.newTrigger')}
          </Button>
        )
      }
    >
      {routine.triggers.length === 0 ? (
        <p className="text-sm text-muted">{t('routine.noTriggers')}</p>
      ) : (
        <Panel>
          <ul className="divide-y divide-line">
            {routine.triggers.map((trigger) => (
              <TriggerItem
                key={trigger.id}
                routine={routine}
                trigger={trigger}
                mayWrite={mayWrite}
                onSecret={setSecret}
              />
            ))}
          </ul>
        </Panel>
      )}
      {isNew && <NewTrigger routine={routine} onSecret={setSecret} onClose={() => setNew(false)} />}
      {secret && <SecretOnce of={secret} onClose={() => setSecret(undefined)} />}
    </Section>
  );
}

interface TriggerItemProps {
  routine: Routine;
  trigger: Trigger;
  mayWrite: boolean;
  onSecret: (secret: ShownSecret) => void;
}

function TriggerItem({ routine, trigger, mayWrite, onSecret }: TriggerItemProps) {
  const Icon = ICONS[trigger.kind];
  const [isDeleting, setDeleting] = useState(false);
  const [isEditing, setEditing] = useState(false);
  const params = { path: { triggerId: trigger.id } };
  const turn = useSend((enabled: boolean) =>
    unwrap(api.PATCH('/api/routine-triggers/{triggerId}', { params, body: { enabled } })),
  );
  const remove = useSend(
    () => unwrap(api.DELETE('/api/routine-triggers/{triggerId}', { params })),
    { onDone: () => setDeleting(false) },
  );
  const name = trigger.label ?? word('triggerKind', trigger.kind);
  return (
    <li className="px-3 py-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Icon size={15} aria-hidden className="shrink-0 text-muted" />
        <span className="font-medium max-md:flex-1">{name}</span>
        <span className="min-w-0 flex-1 text-sm text-muted max-md:order-last max-md:basis-full">
          {trigger.kind === 'schedule' ? (
            <>
              <CronInWords expression={trigger.cronExpression} /> · {trigger.timezone}
            </>
          ) : trigger.kind === 'webhook' ? (
            word('signingMode', trigger.signingMode)
          ) : (
            trigger.label && word('triggerKind', trigger.kind)
          )}
          {trigger.lastFiredAt && (
            <>
              {' · '}
              {t('routine.lastFired')} <Ago at={trigger.lastFiredAt} />
            </>
          )}
        </span>
        {mayWrite && (
          <span className="flex items-center gap-1">
            <Switch
              isOn={trigger.enabled}
              label={`${t('routine.triggerOn')}: ${name}`}
              onChange={(enabled) => turn.mutate(enabled)}
            />
            {trigger.kind === 'schedule' && (
              <IconButton
                icon={Pencil}
                label={`${t('routine.editSchedule')}: ${name}`}
                onClick={() => setEditing(true)}
              />
            )}
            <IconButton
              icon={Trash2}
              label={`${t('routine.deleteTrigger')}: ${name}`}
              onClick={() => setDeleting(true)}
            />
          </span>
        )}
      </div>
      {trigger.failureReason && <p className="mt-1 text-sm text-bad">{trigger.failureReason}</p>}
      {trigger.kind === 'schedule' && <NextFirings routineId={routine.id} triggerId={trigger.id} />}
      {trigger.kind === 'webhook' && (
        <WebhookDetails trigger={trigger} mayWrite={mayWrite} onSecret={onSecret} />
      )}
      {isEditing && trigger.kind === 'schedule' && (
        <EditSchedule trigger={trigger} onClose={() => setEditing(false)} />
      )}
      {isDeleting && (
        <FormDialog
          title={t('routine.deleteTrigger')}
          submit={t('action.delete')}
          tone="danger"
          isBusy={remove.isPending}
          onSubmit={() => remove.mutate(undefined)}
          onClose={() => setDeleting(false)}
        >
          <p>{t('routine.deleteTriggerText')}</p>
        </FormDialog>
      )}
    </li>
  );
}

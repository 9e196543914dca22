import { unwrap } from '@switchyard/client';
import { useState } from 'react';
import { api, type Schemas } from '../../data/api';
import { useHeld } from '../../data/draft';
import { useSend } from '../../data/send';
import { t } from '../../i18n';
import { FormDialog } from '../../ui/dialogs/form-dialog';
import { InputField, SelectField, wordOptions } from '../../ui/field';
import { newSchedule, ScheduleFields } from '../routines/schedule-fields';
import type { Routine, ShownSecret } from './routine';

const KINDS = ['schedule', 'webhook', 'api'] as const;
const SIGNING = ['hmac_sha256', 'bearer', 'github', 'stripe', 'slack'] as const;
type Signing = (typeof SIGNING)[number];

interface Draft {
  kind: (typeof KINDS)[number];
  label: string;
  schedule: ReturnType<typeof newSchedule>;
  signingMode: Signing;
}

interface NewTriggerProps {
  routine: Routine;
  onSecret: (secret: ShownSecret) => void;
  onClose: () => void;
}

export function NewTrigger({ routine, onSecret, onClose }: NewTriggerProps) {
  const [first] = useState<Draft>(() => ({
    kind: 'schedule',
    label: '',
    schedule: newSchedule(),
    signingMode: 'hmac_sha256',
  }));
  const held = useHeld(`new trigger ${routine.id}`, first);
  const { kind, label, schedule, signingMode } = held.value;
  const [secret, setSecret] = useState('');
  const bodyOf = (): Schemas['CreateTriggerBody'] => {
    const common = label.trim() ? { label: label.trim() } : {};
    if (kind === 'schedule') return { ...common, kind, ...schedule };
    if (kind === 'api') return { ...common, kind };
    return { ...common, kind, signingMode, ...(secret.trim() && { secret: secret.trim() }) };
  };
  const creating = useSend(
    () =>
      unwrap(
        api.POST('/api/routines/{routineId}/triggers', {
          params: { path: { routineId: routine.id } },
          body: bodyOf(),
        }),
      ),
    {
      onDone: (trigger) => {
        onClose();
        if ('secret' in trigger) {
          onSecret({ secret: trigger.secret, fireUrl: trigger.fireUrl, signingMode });
        }
      },
    },
  );
  return (
    <FormDialog
      title={t('routine.newTrigger')}
      submit={t('action.create')}
      held={held}
      isBusy={creating.isPending}
      onSubmit={() => creating.mutate(undefined)}
      onClose={onClose}
    >
      <div className="grid gap-3 md:grid-cols-2">
        <SelectField
          label={t('routine.kind')}
          value={kind}
          onChange={({ target }) => held.change({ kind: target.value as typeof kind })}
        >
          {wordOptions('triggerKind', KINDS)}
        </SelectField>
        <InputField
          name="label"
          label={t('routine.label')}
          isOptional
          maxLength={200}
          value={label}
          onChange={({ target }) => held.change({ label: target.value })}
        />
      </div>
      {kind === 'schedule' && (
        <ScheduleFields value={schedule} onChange={(next) => held.change({ schedule: next })} />
      )}
      {kind === 'webhook' && (
        <>
          <SelectField
            name="signingMode"
            label={t('routine.signing')}
            value={signingMode}
            onChange={({ target }) => held.change({ signingMode: target.value as Signing })}
          >
            {wordOptions('signingMode', SIGNING)}
          </SelectField>
          <InputField
            name="secret"
            label={t('routine.ownSecret')}
            isOptional
            hint={t('routine.ownSecretHint')}
            autoComplete="off"
            minLength={16}
            maxLength={256}
            value={secret}
            onChange={({ target }) => setSecret(target.value)}
          />
        </>
      )}
    </FormDialog>
  );
}

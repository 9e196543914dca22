import { unwrap } from '@switchyard/client';
import { useState } from 'react';
import { api } from '../../data/api';
import { useSend } from '../../data/send';
import { t } from '../../i18n';
import { FormDialog } from '../../ui/dialogs/form-dialog';
import { ScheduleFields } from '../routines/schedule-fields';
import type { Trigger } from './routine';

interface EditScheduleProps {
  trigger: Extract<Trigger, { kind: 'schedule' }>;
  onClose: () => void;
}

export function EditSchedule({ trigger, onClose }: EditScheduleProps) {
  const { cronExpression, timezone } = trigger;
  const [schedule, setSchedule] = useState({ cronExpression, timezone });
  const saving = useSend(
    () =>
      unwrap(
        api.PATCH('/api/routine-triggers/{triggerId}', {
          params: { path: { triggerId: trigger.id } },
          body: schedule,
        }),
      ),
    { onDone: onClose },
  );
  return (
    <FormDialog
      title={t('routine.editSchedule')}
      isBusy={saving.isPending}
      onSubmit={() => saving.mutate(undefined)}
      onClose={onClose}
    >
      <ScheduleFields value={schedule} onChange={setSchedule} />
    </FormDialog>
  );
}

import { unwrap } from '@switchyard/client';
import { api } from '../../data/api';
import { useHeld } from '../../data/draft';
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
  const held = useHeld(`schedule ${trigger.id}`, { cronExpression, timezone });
  const saving = useSend(
    () =>
      unwrap(
        api.PATCH('/api/routine-triggers/{triggerId}', {
          params: { path: { triggerId: trigger.id } },
          body: held.value,
        }),
      ),
    { onDone: onClose },
  );
  return (
    <FormDialog
      title={t('routine.editSchedule')}
      held={held}
      isBusy={saving.isPending}
      onSubmit={() => saving.mutate(undefined)}
      onClose={onClose}
    >
      <ScheduleFields value={held.value} onChange={held.change} />
    </FormDialog>
  );
}

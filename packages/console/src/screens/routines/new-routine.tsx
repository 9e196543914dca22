import { unwrap } from '@switchyard/client';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, sentenceOf } from '../../data/api';
import { useCompany } from '../../data/company';
import { useHeld } from '../../data/draft';
import { useSend } from '../../data/send';
import { t } from '../../i18n';
import { FormDialog } from '../../ui/dialogs/form-dialog';
import { Checkbox } from '../../ui/field';
import { showToast } from '../../ui/toast';
import { type RoutineDraft, RoutineFields } from './routine-fields';
import { newSchedule, ScheduleFields } from './schedule-fields';

const EMPTY: RoutineDraft = {
  title: '',
  description: null,
  assigneeAgentId: '',
  projectId: '',
  priority: 'medium',
  concurrencyPolicy: 'coalesce_if_active',
  catchUpPolicy: 'skip_missed',
};

export function NewRoutine({ onClose }: { onClose: () => void }) {
  const { id: companyId, issuePrefix: company } = useCompany();
  const navigate = useNavigate();
  const [first] = useState(() => ({ ...EMPTY, schedule: newSchedule(), isScheduled: true }));
  const held = useHeld(`new routine ${companyId}`, first);
  const { schedule, isScheduled, ...draft } = held.value;
  const creating = useSend(
    async () => {
      const { id } = await unwrap(
        api.POST('/api/companies/{companyId}/routines', {
          params: { path: { companyId } },
          body: draft,
        }),
      );
      if (isScheduled) {
        await unwrap(
          api.POST('/api/routines/{routineId}/triggers', {
            params: { path: { routineId: id } },
            body: { kind: 'schedule', ...schedule },
          }),
        ).catch((error) => showToast({ tone: 'bad', text: sentenceOf(error) }));
      }
      return id;
    },
    {
      onDone: (routine) => {
        onClose();
        void navigate({ to: '/$company/routines/$routine', params: { company, routine } });
      },
    },
  );
  return (
    <FormDialog
      title={t('routines.new')}
      submit={t('action.create')}
      held={held}
      isBusy={creating.isPending}
      isIncomplete={!draft.title.trim() || !draft.assigneeAgentId || !draft.projectId}
      onSubmit={() => creating.mutate(undefined)}
      onClose={onClose}
    >
      <RoutineFields value={draft} onChange={held.change} />
      <Checkbox
        label={t('routine.withSchedule')}
        checked={isScheduled}
        onChange={({ target }) => held.change({ isScheduled: target.checked })}
      />
      {isScheduled && (
        <ScheduleFields value={schedule} onChange={(next) => held.change({ schedule: next })} />
      )}
    </FormDialog>
  );
}

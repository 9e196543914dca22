import { unwrap } from '@switchyard/client';
import { useNavigate } from '@tanstack/react-router';
import { api } from '../../data/api';
import { useCompany } from '../../data/company';
import { useSend } from '../../data/send';
import { t, word } from '../../i18n';
import { showToast } from '../../ui/toast';

interface Named {
  id: string;
  title: string;
}

interface Firing {
  routine: Named;
  triggerId?: string;
  payload?: Record<string, unknown>;
}

export function useRoutineActions() {
  const { issuePrefix: company } = useCompany();
  const navigate = useNavigate();
  const turn = useSend(
    ({ routine, isOn }: { routine: Named; isOn: boolean }) =>
      unwrap(
        api.PATCH('/api/routines/{routineId}', {
          params: { path: { routineId: routine.id } },
          body: { status: isOn ? 'active' : 'paused' },
        }),
      ),
    {
      optimistic: ({ routine, isOn }) => ({
        id: routine.id,
        changes: { status: isOn ? 'active' : 'paused' },
      }),
    },
  );
  const fire = useSend(
    ({ routine, triggerId, payload }: Firing) =>
      unwrap(
        api.POST('/api/routines/{routineId}/run', {
          params: { path: { routineId: routine.id } },
          body: { source: 'manual', ...(triggerId && { triggerId }), ...(payload && { payload }) },
        }),
      ),
    {
      onDone: ({ status, linkedIssueId: issue }, { routine }) =>
        showToast({
          text: t('routines.fired', {
            title: routine.title,
            status: word('routineRunStatus', status),
          }),
          ...(issue && {
            action: {
              label: t('routines.openIssue'),
              run: () =>
                void navigate({ to: '/$company/issues/$issue', params: { company, issue } }),
            },
          }),
        }),
    },
  );
  return { turn, fire };
}

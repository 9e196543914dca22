import { unwrap } from '@switchyard/client';
import { api, RefusedError, sentenceOf } from '../../data/api';
import { useHeld } from '../../data/draft';
import { useSend } from '../../data/send';
import { t } from '../../i18n';
import { FormDialog } from '../../ui/dialogs/form-dialog';
import { InputField } from '../../ui/field';
import type { Agent } from './agent';

interface BudgetDialogProps {
  agent: Agent;
  onClose: () => void;
  onSaved?: () => void;
}

export function BudgetDialog({ agent, onClose, onSaved }: BudgetDialogProps) {
  const held = useHeld(`budget ${agent.id}`, { dollars: String(agent.budgetMonthlyCents / 100) });
  const { dollars } = held.value;
  const saving = useSend(
    (confirmUnlimited: boolean) =>
      unwrap(
        api.PATCH('/api/agents/{agentId}', {
          params: { path: { agentId: agent.id } },
          body: {
            budgetMonthlyCents: Math.round(Number(dollars) * 100),
            ...(confirmUnlimited && { confirmUnlimited }),
          } as never,
        }),
      ),
    {
      isQuiet: true,
      onDone: () => {
        onSaved?.();
        onClose();
      },
    },
  );
  const { error } = saving;
  const isUnconfirmed = error instanceof RefusedError && error.code === 'confirmation_required';
  return (
    <FormDialog
      title={t('agent.budgetEdit')}
      submit={t(isUnconfirmed ? 'agent.confirmUnlimited' : 'action.save')}
      tone={isUnconfirmed ? 'danger' : 'primary'}
      held={held}
      isBusy={saving.isPending}
      isIncomplete={dollars.trim() === '' || !(Number(dollars) >= 0)}
      onSubmit={() => saving.mutate(isUnconfirmed)}
      onClose={onClose}
    >
      <InputField
        label={t('agent.budgetField')}
        hint={t('agent.budgetHint')}
        error={error ? (isUnconfirmed ? t('agent.budgetUnlimited') : sentenceOf(error)) : undefined}
        type="number"
        min={0}
        step="0.01"
        inputMode="decimal"
        value={dollars}
        onChange={({ target }) => held.change({ dollars: target.value })}
      />
    </FormDialog>
  );
}

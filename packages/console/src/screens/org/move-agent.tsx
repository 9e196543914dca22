import { unwrap } from '@switchyard/client';
import { type DragEvent, useState } from 'react';
import { api } from '../../data/api';
import { useMayWrite } from '../../data/rights';
import { useSend } from '../../data/send';
import { t } from '../../i18n';
import { FormDialog } from '../../ui/dialogs/form-dialog';
import type { ListedAgent } from '../agents/agent-reason';

export interface Move {
  agent: ListedAgent;
  manager: ListedAgent | null;
}

const DRAGGED = 'application/x-switchyard-agent';

export function useDrag(agents: readonly ListedAgent[]) {
  const mayMove = useMayWrite();
  const [move, setMove] = useState<Move>();
  const cardOf = (agent: ListedAgent) => ({
    draggable: mayMove,
    onDragStart: ({ dataTransfer }: DragEvent) => dataTransfer.setData(DRAGGED, agent.id),
  });
  const targetOf = (manager: ListedAgent | null) => ({
    onDragOver: (event: DragEvent) => {
      if (event.dataTransfer.types.includes(DRAGGED)) event.preventDefault();
    },
    onDrop: (event: DragEvent) => {
      event.stopPropagation();
      const dragged = event.dataTransfer.getData(DRAGGED);
      const agent = agents.find(({ id }) => id === dragged);
      if (!agent || agent.id === manager?.id || agent.reportsTo === (manager?.id ?? null)) return;
      event.preventDefault();
      setMove({ agent, manager });
    },
  });
  return { move, cardOf, targetOf, close: () => setMove(undefined) };
}

export function MoveDialog({ move, onClose }: { move: Move; onClose: () => void }) {
  const { agent, manager } = move;
  const save = useSend(
    () =>
      unwrap(
        api.PATCH('/api/agents/{agentId}', {
          params: { path: { agentId: agent.id } },
          body: { reportsTo: manager?.id ?? null },
        }),
      ),
    { onDone: onClose },
  );
  return (
    <FormDialog
      title={t('org.move')}
      submit={t('org.moveSubmit')}
      isBusy={save.isPending}
      onSubmit={() => save.mutate(undefined)}
      onClose={onClose}
    >
      <p className="text-sm">
        {manager
          ? t('org.moveText', { name: agent.name, manager: manager.name })
          : t('org.moveTop', { name: agent.name })}
      </p>
    </FormDialog>
  );
}

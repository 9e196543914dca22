import { unwrap } from '@switchyard/client';
import { EllipsisVertical, MessageSquare, Pause, Play, StepForward, UserX } from 'lucide-react';
import { useState } from 'react';
import { api } from '../../data/api';
import { useHeld } from '../../data/draft';
import { useMayWrite } from '../../data/rights';
import { useSend } from '../../data/send';
import { t } from '../../i18n';
import { Button } from '../../ui/button';
import { Menu, MenuItem } from '../../ui/choices/menu';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog';
import { FormDialog } from '../../ui/dialogs/form-dialog';
import { TextareaField } from '../../ui/field';
import { useAgentActions } from '../agents/use-agent-actions';
import type { Agent } from './agent';

type Asked = 'message' | 'pause' | 'terminate';

export function AgentActions({ agent }: { agent: Agent }) {
  const mayWrite = useMayWrite();
  const actions = useAgentActions();
  const [asked, setAsked] = useState<Asked>();
  const close = () => setAsked(undefined);
  if (!mayWrite || agent.status === 'terminated') return null;
  const isDraft = agent.status === 'pending_approval';
  const isStopped = agent.status === 'paused' || agent.status === 'error';
  return (
    <>
      {!isDraft && (
        <>
          <Button
            icon={MessageSquare}
            disabled={agent.status === 'paused'}
            onClick={() => setAsked('message')}
          >
            {t('agent.message')}
          </Button>
          <Button
            icon={Play}
            disabled={agent.status === 'paused'}
            isBusy={actions.invoke.isPending}
            onClick={() => actions.invoke.mutate({ agent })}
          >
            {t('agents.runNow')}
          </Button>
          {isStopped ? (
            agent.pauseReason !== 'budget' && (
              <Button
                tone="primary"
                icon={StepForward}
                isBusy={actions.resume.isPending}
                onClick={() => actions.resume.mutate(agent)}
              >
                {t('agents.resume')}
              </Button>
            )
          ) : (
            <Button icon={Pause} onClick={() => setAsked('pause')}>
              {t('agents.pause')}
            </Button>
          )}
        </>
      )}
      <Menu
        label={t('action.more')}
        align="end"
        className="inline-flex size-7 items-center justify-center rounded-md text-muted hover:bg-hover max-md:size-9"
        trigger={<EllipsisVertical size={15} aria-hidden />}
      >
        {(closeMenu) => (
          <MenuItem
            icon={UserX}
            tone="danger"
            onClick={() => {
              closeMenu();
              setAsked('terminate');
            }}
          >
            {t('agent.terminate')}
          </MenuItem>
        )}
      </Menu>
      {asked === 'message' && (
        <MessageDialog
          agent={agent}
          isBusy={actions.invoke.isPending}
          onSend={(reason) => actions.invoke.mutate({ agent, reason }, { onSuccess: close })}
          onClose={close}
        />
      )}
      {asked === 'pause' && (
        <ConfirmDialog
          title={t('agent.pauseTitle', { name: agent.name })}
          submit={t('agents.pause')}
          onConfirm={() => {
            actions.pause.mutate(agent);
            close();
          }}
          onClose={close}
        >
          {t('agent.pauseText')}
        </ConfirmDialog>
      )}
      {asked === 'terminate' && <TerminateDialog agent={agent} onClose={close} />}
    </>
  );
}

function MessageDialog({
  agent,
  isBusy,
  onSend,
  onClose,
}: {
  agent: Agent;
  isBusy: boolean;
  onSend: (reason: string) => void;
  onClose: () => void;
}) {
  const held = useHeld(`message ${agent.id}`, { reason: '' });
  const { reason } = held.value;
  return (
    <FormDialog
      title={t('agent.messageTitle', { name: agent.name })}
      submit={t('agents.runNow')}
      isIncomplete={reason.trim() === ''}
      held={held}
      isBusy={isBusy}
      onSubmit={() => onSend(reason.trim())}
      onClose={onClose}
    >
      <TextareaField
        name="reason"
        label={t('agent.messageField', { name: agent.name })}
        hint={t('agent.messageHint')}
        maxLength={500}
        value={reason}
        onChange={({ target }) => held.change({ reason: target.value })}
      />
    </FormDialog>
  );
}

function TerminateDialog({ agent, onClose }: { agent: Agent; onClose: () => void }) {
  const terminating = useSend(
    () =>
      unwrap(
        api.POST('/api/agents/{agentId}/terminate', { params: { path: { agentId: agent.id } } }),
      ),
    { onDone: onClose },
  );
  return (
    <ConfirmDialog
      title={t('agent.terminateTitle', { name: agent.name })}
      submit={t('agent.terminate')}
      word={agent.name}
      wordLabel={t('agent.terminateName')}
      isBusy={terminating.isPending}
      onConfirm={() => terminating.mutate(undefined)}
      onClose={onClose}
    >
      {t('agent.terminateText')}
    </ConfirmDialog>
  );
}

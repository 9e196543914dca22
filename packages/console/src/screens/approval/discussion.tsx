import { unwrap } from '@switchyard/client';
import { useState } from 'react';
import { api, type Schemas } from '../../data/api';
import { useAgents } from '../../data/directory';
import { useDraft } from '../../data/draft';
import { useRead } from '../../data/read';
import { useMayWrite } from '../../data/rights';
import { useSend } from '../../data/send';
import { t } from '../../i18n';
import { Button } from '../../ui/button';
import { Textarea } from '../../ui/field';
import { Markdown } from '../../ui/markdown/markdown';
import { Avatar } from '../../ui/marks';
import { Section } from '../../ui/page';
import { Loading, Skeleton } from '../../ui/states';
import { Switch } from '../../ui/switch';
import { Ago } from '../../ui/time';

interface DiscussionProps {
  approval: Pick<Schemas['Approval'], 'id' | 'status' | 'requestedByAgentId'>;
}

export function Discussion({ approval }: DiscussionProps) {
  const { id: approvalId, requestedByAgentId: askerId } = approval;
  const comments = useRead('/api/approvals/{approvalId}/comments', { path: { approvalId } });
  const agents = useAgents();
  const [body, setBody] = useDraft(`approval comment ${approvalId}`);
  const isOpen = approval.status === 'pending' || approval.status === 'revision_requested';
  const [wake, setWake] = useState(isOpen);
  const sending = useSend(
    () =>
      unwrap(
        api.POST('/api/approvals/{approvalId}/comments', {
          params: { path: { approvalId } },
          body: { body: body.trim(), wake },
        }),
      ),
    { onDone: () => setBody('') },
  );
  const mayWrite = useMayWrite();
  const nameOf = (agentId: string | null) =>
    agentId === null ? t('person.board') : (agents.get(agentId)?.name ?? agentId);
  return (
    <Section title={t('approval.discussion')}>
      <Loading of={comments} skeleton={<Skeleton rows={2} />}>
        {(all) => (
          <ul className="mb-3 flex flex-col gap-4">
            {[...all].reverse().map((comment) => (
              <li key={comment.id} className="flex gap-2.5">
                <Avatar name={nameOf(comment.authorAgentId)} isPerson={!comment.authorAgentId} />
                <div className="min-w-0 flex-1">
                  <p className="text-sm">
                    <span className="font-medium">{nameOf(comment.authorAgentId)}</span>{' '}
                    <Ago at={comment.createdAt} className="text-muted" />
                  </p>
                  <Markdown className="mb-3 last:mb-0" text={comment.body} />
                </div>
              </li>
            ))}
          </ul>
        )}
      </Loading>
      {mayWrite && (
        <form
          className="flex flex-col gap-2"
          onSubmit={(event) => {
            event.preventDefault();
            sending.mutate(undefined);
          }}
        >
          <Textarea
            aria-label={t('approval.comment')}
            placeholder={t('approval.comment')}
            rows={2}
            value={body}
            onChange={(event) => setBody(event.target.value)}
          />
          <div className="flex items-center justify-end gap-3">
            {askerId && (
              <Switch isOn={wake} onChange={setWake}>
                {t('approval.wake', { name: nameOf(askerId) })}
              </Switch>
            )}
            <Button type="submit" isBusy={sending.isPending} disabled={!body.trim()}>
              {t('action.send')}
            </Button>
          </div>
        </form>
      )}
    </Section>
  );
}

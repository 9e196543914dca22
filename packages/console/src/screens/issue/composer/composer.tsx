import { unwrap } from '@switchyard/client';
import { ArrowDown, Paperclip, Send } from 'lucide-react';
import { type ClipboardEvent, type DragEvent, type KeyboardEvent, useRef, useState } from 'react';
import { api } from '../../../data/api';
import { useAgents } from '../../../data/directory';
import { useDraft } from '../../../data/draft';
import { useSend } from '../../../data/send';
import { newSendKey } from '../../../data/send-key';
import { t } from '../../../i18n';
import { shownKeys } from '../../../ui/browser/keys';
import { Button } from '../../../ui/button';
import type { Issue } from '../issue';
import type { ThreadRun } from '../thread';
import { LiveBar } from './live-bar';
import { MentionMenu } from './mention-menu';
import { useMentions } from './use-mentions';
import { useUpload } from './use-upload';
import { WhoWakes } from './who-wakes';

interface ComposerProps {
  issue: Issue;
  live: ThreadRun | undefined;
  onEnd: (() => void) | undefined;
}

export function Composer({ issue, live, onEnd }: ComposerProps) {
  const [draft, setDraft] = useDraft(`comment ${issue.id}`);
  const [wake, setWake] = useState<boolean>();
  const field = useRef<HTMLTextAreaElement>(null);
  const files = useRef<HTMLInputElement>(null);
  const key = useRef(newSendKey());
  const agents = useAgents();
  const mentions = useMentions({ field, draft, setDraft, agents: agents.present });
  const upload = useUpload(issue);
  const send = useSend(
    (body: string) =>
      unwrap(
        api.POST('/api/issues/{issueId}/comments', {
          params: {
            path: { issueId: issue.id },
            header: { 'Idempotency-Key': key.current },
          },
          body: { body, ...(wake !== undefined && { wake }) },
        }),
      ),
    {
      onDone: (_comment, body) => {
        key.current = newSendKey();
        setWake(undefined);
        if (field.current?.value.trim() === body) setDraft('');
      },
    },
  );
  const submit = () => {
    const body = draft.trim();
    if (body !== '' && !send.isPending) send.mutate(body);
  };
  const address = (name: string) => {
    const mention = `@${name} `;
    if (!draft.includes(mention.trim())) setDraft(mention + draft);
    field.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (mentions.onKeyDown(event)) return;
    if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey)) return;
    event.preventDefault();
    submit();
  };
  const take = (event: ClipboardEvent | DragEvent, list: FileList | undefined) => {
    if (!list || list.length === 0) return;
    event.preventDefault();
    upload.send(list);
  };
  const assignee = agents.get(issue.assigneeAgentId);
  return (
    <section
      aria-label={t('issue.composer')}
      className="sticky bottom-0 z-10 -mx-4 mt-5 border-t border-line bg-page px-4 py-3"
    >
      {onEnd && (
        <div className="pointer-events-none absolute inset-x-0 -top-10 text-center">
          <Button
            icon={ArrowDown}
            onClick={onEnd}
            className="pointer-events-auto rounded-full shadow-raised"
          >
            {t('issue.latest')}
          </Button>
        </div>
      )}
      <form
        className="relative rounded-lg border border-line-strong bg-surface focus-within:border-accent"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => take(event, event.dataTransfer.files)}
      >
        <MentionMenu {...mentions.menu} />
        {live && <LiveBar run={live} onMessage={() => address(live.agentName)} />}
        <textarea
          {...mentions.completion}
          ref={field}
          rows={2}
          aria-label={t('issue.comment')}
          placeholder={
            assignee ? t('issue.messageAgent', { name: assignee.name }) : t('issue.message')
          }
          value={draft}
          onChange={(event) => {
            key.current = newSendKey();
            setDraft(event.target.value);
            mentions.onCaret(event.target);
          }}
          onSelect={(event) => mentions.onCaret(event.currentTarget)}
          onBlur={mentions.close}
          onKeyDown={onKeyDown}
          onPaste={(event) => take(event, event.clipboardData.files)}
          className="field-sizing-content block max-h-[40dvh] min-h-14 w-full resize-none bg-transparent px-3 py-2 text-base outline-none"
        />
        <div className="flex items-end gap-2 px-2 pb-2 max-md:flex-wrap">
          <WhoWakes
            issueId={issue.id}
            body={draft}
            assignee={assignee?.name}
            wake={wake}
            onWake={(next) => {
              key.current = newSendKey();
              setWake(next);
            }}
          />
          <span className="flex-1" />
          <input
            ref={files}
            type="file"
            multiple
            hidden
            onChange={(event) => {
              if (event.target.files) upload.send(event.target.files);
              event.target.value = '';
            }}
          />
          <Button
            tone="quiet"
            icon={Paperclip}
            isBusy={upload.isPending}
            onClick={() => files.current?.click()}
          >
            {t('issue.attach')}
          </Button>
          <Button
            tone="primary"
            type="submit"
            icon={Send}
            shortcut={shownKeys('$mod+Enter')}
            disabled={draft.trim() === ''}
            isBusy={send.isPending}
          >
            {t('issue.send')}
          </Button>
        </div>
      </form>
    </section>
  );
}

import { unwrap } from '@switchyard/client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { AtSign, BellOff } from 'lucide-react';
import { useEffect, useState } from 'react';
import { api } from '../../../data/api';
import { t } from '../../../i18n';
import { Tag } from '../../../ui/marks';
import { outcomeOf } from '../mention-outcome';

interface WhoWakesProps {
  issueId: string;
  body: string;
  assignee: string | undefined;
  onAddress: (name: string) => void;
}

/** Before it is sent, whom the comment will wake; judged by the service as the comment itself will be. */
export function WhoWakes({ issueId, body, assignee, onAddress }: WhoWakesProps) {
  const preview = usePreview(issueId, body);
  if (body.trim() === '') {
    return assignee ? (
      <AddressButton name={assignee} onAddress={onAddress} />
    ) : (
      <span className="text-sm text-faint">{t('mention.hint')}</span>
    );
  }
  if (!preview) return null;
  const { mentions, settlesMention } = preview;
  const isSilent = mentions.length === 0;
  return (
    <div
      role="status"
      className="flex min-h-7 min-w-0 flex-wrap items-center gap-1.5 text-sm text-muted"
    >
      {mentions.map((mention) => {
        const { tone, text, why } = outcomeOf(mention, false);
        return (
          <Tag key={`${mention.agentId} ${mention.name}`} tone={tone} title={why}>
            {text}
          </Tag>
        );
      })}
      {isSilent && (
        <span className="inline-flex items-center gap-1">
          <BellOff size={13} aria-hidden />
          {t('mention.nobody')}
        </span>
      )}
      {isSilent && assignee && <AddressButton name={assignee} onAddress={onAddress} />}
      {settlesMention && <Tag tone="good">{t('mention.settles')}</Tag>}
    </div>
  );
}

const AddressButton = ({
  name,
  onAddress,
}: {
  name: string;
  onAddress: (name: string) => void;
}) => (
  <button
    type="button"
    onClick={() => onAddress(name)}
    className="inline-flex min-h-6 items-center gap-1 rounded-md px-1.5 text-sm text-accent hover:bg-hover"
  >
    <AtSign size={13} aria-hidden />
    {t('mention.address', { name })}
  </button>
);

function usePreview(issueId: string, typed: string) {
  const body = useSettled(typed.trim());
  const { data } = useQuery({
    queryKey: ['/api/issues/{issueId}/comments/preview', issueId, body],
    queryFn: ({ signal }) =>
      unwrap(
        api.POST('/api/issues/{issueId}/comments/preview', {
          params: { path: { issueId } },
          body: { body },
          signal,
        }),
      ),
    enabled: body !== '',
    placeholderData: keepPreviousData,
    staleTime: 10_000,
    gcTime: 30_000,
    retry: false,
  });
  return body === '' ? undefined : data;
}

/** The text once nobody has typed for a moment. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), 250);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

import { unwrap } from '@switchyard/client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Bell, BellOff, type LucideIcon } from 'lucide-react';
import { useEffect, useState } from 'react';
import { api } from '../../../data/api';
import { t } from '../../../i18n';
import { Tag } from '../../../ui/marks';
import { outcomeOf } from '../mention-outcome';

interface WhoWakesProps {
  issueId: string;
  body: string;
  assignee: string | undefined;
  wake: boolean | undefined;
  onWake: (wake: boolean | undefined) => void;
}

export function WhoWakes({ issueId, body, assignee, wake, onWake }: WhoWakesProps) {
  const preview = usePreview(issueId, body, wake);
  if (body.trim() === '') return <span className="text-sm text-faint">{t('mention.hint')}</span>;
  if (!preview) return null;
  const { mentions, woken, settlesMention } = preview;
  const outcomes = [...mentions, ...woken];
  return (
    <div
      role="status"
      className="flex min-h-7 min-w-0 flex-wrap items-center gap-1.5 text-sm text-muted"
    >
      {outcomes.map((mention) => {
        const { tone, text, why } = outcomeOf(mention, false);
        return (
          <Tag key={`${mention.agentId} ${mention.name}`} tone={tone} title={why}>
            {text}
          </Tag>
        );
      })}
      {outcomes.length === 0 && (
        <span className="inline-flex items-center gap-1">
          <BellOff size={13} aria-hidden />
          {t('mention.nobody')}
        </span>
      )}
      {woken.some(isWake) ? (
        <Choice icon={BellOff} onClick={() => onWake(false)}>
          {t('mention.doNotWake')}
        </Choice>
      ) : (
        assignee &&
        outcomes.length === 0 && (
          <Choice icon={Bell} onClick={() => onWake(wake === false ? undefined : true)}>
            {t('mention.address', { name: assignee })}
          </Choice>
        )
      )}
      {settlesMention && <Tag tone="good">{t('mention.settles')}</Tag>}
    </div>
  );
}

const isWake = ({ outcome }: { outcome: string }) => outcome === 'woken' || outcome === 'coalesced';

const Choice = ({
  icon: Icon,
  onClick,
  children,
}: {
  icon: LucideIcon;
  onClick: () => void;
  children: string;
}) => (
  <button
    type="button"
    onClick={onClick}
    className="inline-flex min-h-6 items-center gap-1 rounded-md px-1.5 text-sm text-accent hover:bg-hover"
  >
    <Icon size={13} aria-hidden />
    {children}
  </button>
);

function usePreview(issueId: string, typed: string, wake: boolean | undefined) {
  const body = useSettled(typed.trim());
  const { data } = useQuery({
    queryKey: ['/api/issues/{issueId}/comments/preview', issueId, body, wake],
    queryFn: ({ signal }) =>
      unwrap(
        api.POST('/api/issues/{issueId}/comments/preview', {
          params: { path: { issueId } },
          body: { body, ...(wake !== undefined && { wake }) },
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

function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), 250);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

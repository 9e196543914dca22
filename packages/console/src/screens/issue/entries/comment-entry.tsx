import { t } from '../../../i18n';
import { Markdown } from '../../../ui/markdown/markdown';
import { Avatar, Tag } from '../../../ui/marks';
import { Ago } from '../../../ui/time';
import { outcomeOf } from '../mention-outcome';
import type { EntryOf } from '../thread';

export function CommentEntry({ entry }: { entry: EntryOf<'comment'> }) {
  const { comment, authorName } = entry;
  const wakes = [...comment.mentions, ...comment.woken];
  const name = authorName ?? t('issue.someone');
  return (
    <article className="flex gap-2.5" aria-label={t('issue.commentBy', { name })}>
      <Avatar name={name} isPerson={comment.authorAgentId === null} size={24} />
      <div className="min-w-0 flex-1 rounded-lg border border-line bg-surface px-3 py-2">
        <header className="mb-1 flex items-baseline gap-2 text-sm">
          <span className="font-semibold">{name}</span>
          <Ago at={comment.createdAt} className="text-faint" />
        </header>
        <Markdown text={comment.body} />
        {wakes.length > 0 && (
          <ul aria-label={t('issue.mentions')} className="mt-2 flex flex-wrap gap-1.5">
            {wakes.map((mention) => {
              const { tone, text, why } = outcomeOf(mention, true);
              return (
                <li key={`${mention.agentId} ${mention.name}`}>
                  <Tag tone={tone} title={why}>
                    {text}
                  </Tag>
                </li>
              );
            })}
          </ul>
        )}
      </div>
    </article>
  );
}

import { Link, type LinkProps, useNavigate, useSearch } from '@tanstack/react-router';
import { History } from 'lucide-react';
import type { Schemas } from '../../data/api';
import { useCompany } from '../../data/company';
import { useAgents } from '../../data/directory';
import { usePages } from '../../data/read';
import { t, word } from '../../i18n';
import { useIsNarrow } from '../../ui/browser/use-is-narrow';
import { options, Select, wordOptions } from '../../ui/field';
import { Avatar } from '../../ui/marks';
import { Page } from '../../ui/page';
import { Rows } from '../../ui/rows';
import { Empty, Failure, Skeleton } from '../../ui/states';
import { Ago } from '../../ui/time';
import { changeOf, subjectOf } from './entry-in-words';

type Activity = Schemas['ListedActivity'];

const TYPES = [
  'issue',
  'heartbeat_run',
  'agent',
  'approval',
  'routine',
  'project',
  'goal',
  'secret',
  'company',
] as const;

export function ActivityScreen() {
  const company = useCompany();
  const navigate = useNavigate();
  const isNarrow = useIsNarrow();
  const { entityType, actorId } = useSearch({ from: '/$company' });
  const agents = useAgents();
  const activity = usePages('/api/companies/{companyId}/activity', {
    path: { companyId: company.id },
    query: { ...(entityType && { entityType }), ...(actorId && { actorId }) } as never,
  });
  const filter = (name: 'entityType' | 'actorId') => (event: { target: { value: string } }) =>
    void navigate({
      to: '/$company/activity',
      params: { company: company.issuePrefix },
      search: { entityType, actorId, [name]: event.target.value || undefined },
    });
  return (
    <Page
      title={t('nav.activity')}
      toolbar={
        <>
          <Select
            aria-label={t('activity.what')}
            className="w-auto"
            value={entityType ?? ''}
            onChange={filter('entityType')}
          >
            <option value="">{t('activity.everything')}</option>
            {wordOptions('entity', TYPES)}
          </Select>
          <Select
            aria-label={t('activity.who')}
            className="w-auto"
            value={actorId ?? ''}
            onChange={filter('actorId')}
          >
            <option value="">{t('activity.everybody')}</option>
            {options(agents.all.map(({ id, name }) => [id, name]))}
          </Select>
        </>
      }
    >
      {activity.items ? (
        activity.items.length === 0 ? (
          <Empty icon={History} title={t('activity.empty')} />
        ) : (
          <Rows
            label={t('nav.activity')}
            rows={activity.items}
            idOf={({ id }) => id}
            height={isNarrow ? 56 : 36}
            onEnd={() => activity.hasNextPage && void activity.fetchNextPage()}
            render={(entry) => <Entry entry={entry} />}
          />
        )
      ) : activity.error ? (
        <Failure error={activity.error} onRetry={() => void activity.refetch()} />
      ) : (
        <Skeleton height={36} />
      )}
    </Page>
  );
}

function Entry({ entry }: { entry: Activity }) {
  const name = entry.actorName ?? word('actor', entry.actorType);
  const { issuePrefix } = useCompany();
  const link = addressOf(entry, issuePrefix);
  const what = (
    <>
      <span className="text-muted">{word('activity', entry.action.replace('.', '_'))}</span>{' '}
      <span className="font-medium">{subjectOf(entry)}</span>{' '}
      <span className="text-muted">{changeOf(entry)}</span>
    </>
  );
  return (
    <div className="flex h-full items-center gap-3 px-4 max-md:flex-wrap max-md:gap-y-0 max-md:py-1">
      <Avatar name={name} isPerson={entry.actorType === 'user'} size={18} />
      <span className="w-32 shrink-0 truncate text-muted max-md:flex-1">{name}</span>
      <span className="min-w-0 flex-1 truncate max-md:order-last max-md:basis-full">
        {link ? (
          <Link {...link} className="hover:underline">
            {what}
          </Link>
        ) : (
          what
        )}
      </span>
      <Ago at={entry.createdAt} className="shrink-0 text-sm text-muted" />
    </div>
  );
}

function addressOf({ entityType, entityId }: Activity, company: string): LinkProps | undefined {
  switch (entityType) {
    case 'issue':
      return { to: '/$company/issues/$issue', params: { company, issue: entityId } };
    case 'heartbeat_run':
      return { to: '/$company/runs/$run', params: { company, run: entityId } };
    case 'agent':
      return { to: '/$company/agents/$agent', params: { company, agent: entityId } };
    case 'approval':
      return { to: '/$company/approvals/$approval', params: { company, approval: entityId } };
    case 'routine':
      return { to: '/$company/routines/$routine', params: { company, routine: entityId } };
    case 'project':
      return { to: '/$company/projects/$project', params: { company, project: entityId } };
    default:
      return undefined;
  }
}

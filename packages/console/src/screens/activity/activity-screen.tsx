import { Link, type LinkProps, useNavigate, useSearch } from '@tanstack/react-router';
import { History } from 'lucide-react';
import type { Schemas } from '../../data/api';
import { useCompany } from '../../data/company';
import { useAgents } from '../../data/directory';
import { usePages } from '../../data/read';
import { t } from '../../i18n';
import { options, Select, wordOptions } from '../../ui/field';
import { ListScreen } from '../../ui/list-screen';
import { Avatar } from '../../ui/marks';
import { Empty } from '../../ui/states';
import { Ago } from '../../ui/time';
import { actorOf, reasonOf, sentenceOf } from './entry-in-words';

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
    <ListScreen
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
      of={activity}
      rows={activity.items}
      heights={[36, 56]}
      heads={[
        ['', 'w-4.5'],
        [t('activity.who'), 'w-32 shrink-0'],
        [t('activity.sentence'), 'flex-1'],
        [t('activity.time'), ''],
      ]}
      empty={<Empty icon={History} title={t('activity.empty')} />}
      render={(entry) => <Entry entry={entry} />}
    />
  );
}

function Entry({ entry }: { entry: Activity }) {
  const name = actorOf(entry);
  const { issuePrefix } = useCompany();
  const link = addressOf(entry, issuePrefix);
  const what = (
    <>
      {sentenceOf(entry).map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence never move
        <span key={index} className={index % 2 === 0 ? 'text-muted' : 'font-medium'}>
          {part}
        </span>
      ))}
      <span className="text-sm text-muted"> {reasonOf(entry)}</span>
    </>
  );
  return (
    <div className="flex h-full items-center gap-3 px-4 max-md:flex-wrap max-md:gap-y-0 max-md:py-1">
      <Avatar name={name} isPerson={entry.actorType === 'user'} size={18} />
      <span className="w-32 shrink-0 truncate max-md:flex-1">{name}</span>
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
    case 'goal':
      return { to: '/$company/goals/$goal', params: { company, goal: entityId } };
    default:
      return undefined;
  }
}

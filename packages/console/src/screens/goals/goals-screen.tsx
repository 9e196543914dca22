import { Link, useNavigate } from '@tanstack/react-router';
import { Goal as GoalIcon, Plus } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useCompany } from '../../data/company';
import { useGoals } from '../../data/directory';
import { useMayWrite } from '../../data/rights';
import { t, word } from '../../i18n';
import { formatCount } from '../../i18n/formats';
import { Button } from '../../ui/button';
import { classNames } from '../../ui/class-names';
import { Progress } from '../../ui/figures/progress';
import { ListScreen } from '../../ui/list-screen';
import { plainExcerpt } from '../../ui/markdown/plain-excerpt';
import { Tag } from '../../ui/marks';
import { Empty } from '../../ui/states';
import type { Goal } from './goal';
import { GoalForm } from './goal-form';
import { rowsOf } from './rows-of';

const TONES = { planned: 'plain', active: 'live', achieved: 'good', cancelled: 'plain' } as const;

export const GoalTag = ({ status }: { status: Goal['status'] }) => (
  <Tag tone={TONES[status]}>{word('goalStatus', status)}</Tag>
);

export function GoalsScreen() {
  const { issuePrefix: company } = useCompany();
  const navigate = useNavigate();
  const open = (goal: string) =>
    void navigate({ to: '/$company/goals/$goal', params: { company, goal } });
  const goals = useGoals();
  const rows = useMemo(() => goals.data && rowsOf(goals.data), [goals.data]);
  const [isNew, setNew] = useState(false);
  const mayWrite = useMayWrite();
  const create = mayWrite && (
    <Button tone="primary" icon={Plus} onClick={() => setNew(true)}>
      {t('goals.new')}
    </Button>
  );
  return (
    <ListScreen
      title={t('nav.goals')}
      aside={goals.data?.length ? formatCount(goals.data.length) : undefined}
      actions={create}
      of={goals}
      rows={rows}
      heights={[44, 76]}
      heads={[
        [t('field.title'), 'flex-1'],
        [t('goals.owner'), CELLS.owner],
        [t('goals.level'), CELLS.level],
        [t('nav.issues'), CELLS.issues],
        [t('field.status'), CELLS.status],
      ]}
      empty={
        <Empty icon={GoalIcon} title={t('goals.empty')} action={create}>
          {t('goals.emptyText')}
        </Empty>
      }
      onOpen={({ id }) => open(id)}
      render={(goal) => <GoalRow goal={goal} />}
    >
      {isNew && <GoalForm goals={goals.data ?? []} onClose={() => setNew(false)} />}
    </ListScreen>
  );
}

type Row = Goal & { depth: number };

const CELLS = {
  owner: 'w-28 shrink-0 max-lg:hidden',
  level: 'w-20 shrink-0 max-lg:hidden',
  issues: 'w-40 shrink-0',
  status: 'w-24 shrink-0',
};

function GoalRow({ goal }: { goal: Row }) {
  const { issuePrefix } = useCompany();
  const { total, open } = goal.issueCounts;
  return (
    <div
      className="flex h-full items-center gap-x-3 pr-4 max-md:flex-wrap max-md:content-center"
      style={{ paddingLeft: 16 + Math.min(goal.depth, 6) * 20 }}
    >
      <Link
        to="/$company/goals/$goal"
        params={{ company: issuePrefix, goal: goal.id }}
        title={goal.title}
        className="flex min-h-6 min-w-0 flex-1 items-baseline gap-2 overflow-hidden hover:underline max-md:basis-full"
      >
        <span className="max-w-full shrink-0 truncate font-medium">{goal.title}</span>
        <span className="min-w-0 truncate text-sm text-muted max-md:hidden">
          {plainExcerpt(goal.descriptionExcerpt)}
        </span>
      </Link>
      <span className={classNames(CELLS.owner, 'truncate text-sm text-muted')}>
        {goal.ownerName}
      </span>
      <span className={classNames(CELLS.level, 'text-sm text-muted')}>
        {word('goalLevel', goal.level)}
      </span>
      <Link
        to="/$company/issues"
        params={{ company: issuePrefix }}
        search={{ servesGoalId: goal.id, view: 'all' }}
        className={classNames(
          CELLS.issues,
          'flex min-h-6 items-center hover:underline max-md:flex-1',
        )}
      >
        <Progress isFull done={total - open} total={total} label={t('goals.issues', { total })} />
      </Link>
      <span className={classNames(CELLS.status, 'max-md:w-auto')}>
        <GoalTag status={goal.status} />
      </span>
    </div>
  );
}

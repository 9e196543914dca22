import { Link } from '@tanstack/react-router';
import { Goal as GoalIcon, Plus } from 'lucide-react';
import { useState } from 'react';
import { useCompany } from '../../data/company';
import { useGoals } from '../../data/directory';
import { useMayWrite } from '../../data/rights';
import { t, word } from '../../i18n';
import { formatCount } from '../../i18n/formats';
import { Button } from '../../ui/button';
import { classNames } from '../../ui/class-names';
import { Progress } from '../../ui/figures/progress';
import { Tag } from '../../ui/marks';
import { Page } from '../../ui/page';
import { Empty, Loading } from '../../ui/states';
import type { Goal } from './goal';
import { GoalForm } from './goal-form';

const TONES = { planned: 'plain', active: 'live', achieved: 'good', cancelled: 'plain' } as const;

export function GoalsScreen() {
  const goals = useGoals();
  const [edited, setEdited] = useState<Goal | 'new'>();
  const mayWrite = useMayWrite();
  const create = mayWrite && (
    <Button icon={Plus} onClick={() => setEdited('new')}>
      {t('goals.new')}
    </Button>
  );
  return (
    <Page
      title={t('nav.goals')}
      aside={goals.data && goals.data.length > 0 && formatCount(goals.data.length)}
      actions={create}
    >
      <Loading of={goals}>
        {(all) =>
          all.length === 0 ? (
            <Empty icon={GoalIcon} title={t('goals.empty')} action={create}>
              {t('goals.emptyText')}
            </Empty>
          ) : (
            <Branch
              goals={all}
              parentId={null}
              depth={0}
              onEdit={mayWrite ? setEdited : undefined}
            />
          )
        }
      </Loading>
      {edited && (
        <GoalForm
          goal={edited === 'new' ? undefined : edited}
          goals={goals.data ?? []}
          onClose={() => setEdited(undefined)}
        />
      )}
    </Page>
  );
}

interface BranchProps {
  goals: Goal[];
  parentId: string | null;
  depth: number;
  onEdit?: (goal: Goal) => void;
}

function Branch({ goals, parentId, depth, onEdit }: BranchProps) {
  const known = new Set(goals.map(({ id }) => id));
  const children = goals.filter((goal) =>
    parentId === null
      ? goal.parentId === null || !known.has(goal.parentId)
      : goal.parentId === parentId,
  );
  if (children.length === 0) return null;
  return (
    <ul>
      {children.map((goal) => (
        <li key={goal.id}>
          <GoalRow goal={goal} depth={depth} onEdit={onEdit && (() => onEdit(goal))} />
          <Branch goals={goals} parentId={goal.id} depth={depth + 1} onEdit={onEdit} />
        </li>
      ))}
    </ul>
  );
}

function GoalRow({ goal, depth, onEdit }: { goal: Goal; depth: number; onEdit?: () => void }) {
  const { issuePrefix } = useCompany();
  const { total, open } = goal.issueCounts;
  const about = (
    <>
      <span className="max-w-full shrink-0 truncate font-medium">{goal.title}</span>
      <span className="min-w-0 truncate text-sm text-muted max-md:hidden">
        {goal.descriptionExcerpt}
      </span>
    </>
  );
  const line =
    'flex min-h-6 min-w-0 flex-1 items-baseline gap-2 overflow-hidden text-left max-md:basis-full';
  return (
    <div
      className="flex min-h-11 items-center gap-x-4 border-b border-line bg-surface py-1.5 pr-4 hover:bg-hover max-md:flex-wrap"
      style={{ paddingLeft: 16 + Math.min(depth, 6) * 20 }}
    >
      {onEdit ? (
        <button
          type="button"
          title={goal.title}
          onClick={onEdit}
          className={classNames(line, 'rounded hover:underline')}
        >
          {about}
        </button>
      ) : (
        <span className={line}>{about}</span>
      )}
      <span className="w-24 truncate text-sm text-muted max-lg:hidden">{goal.ownerName}</span>
      <span className="w-20 text-sm text-muted max-lg:hidden">{word('goalLevel', goal.level)}</span>
      <Link
        to="/$company/issues"
        params={{ company: issuePrefix }}
        search={{ servesGoalId: goal.id, view: 'all' }}
        className="flex min-h-6 w-40 shrink-0 items-center hover:underline max-md:flex-1"
      >
        <Progress isFull done={total - open} total={total} label={t('goals.issues', { total })} />
      </Link>
      <span className="w-24 shrink-0 max-md:w-auto">
        <Tag tone={TONES[goal.status]}>{word('goalStatus', goal.status)}</Tag>
      </span>
    </div>
  );
}

import { Link } from '@tanstack/react-router';
import { Goal as GoalIcon, Plus } from 'lucide-react';
import { useState } from 'react';
import type { Schemas } from '../../data/api';
import { useCompany } from '../../data/company';
import { useRead } from '../../data/read';
import { t, word } from '../../i18n';
import { Button } from '../../ui/button';
import { Progress } from '../../ui/figures/progress';
import { Tag } from '../../ui/marks';
import { Page } from '../../ui/page';
import { Empty, Loading } from '../../ui/states';
import { GoalForm } from './goal-form';

export type Goal = Schemas['ListedGoal'];

const TONES = { planned: 'plain', active: 'live', achieved: 'good', cancelled: 'plain' } as const;

/** What all work is for, from the company's goal down to the task's. */
export function GoalsScreen() {
  const { id: companyId } = useCompany();
  const goals = useRead('/api/companies/{companyId}/goals', {
    path: { companyId },
    query: { limit: 500 },
  });
  const [edited, setEdited] = useState<Goal | 'new'>();
  return (
    <Page
      title={t('nav.goals')}
      actions={
        <Button icon={Plus} onClick={() => setEdited('new')}>
          {t('goals.new')}
        </Button>
      }
    >
      <Loading of={goals}>
        {(all) =>
          all.length === 0 ? (
            <Empty icon={GoalIcon} title={t('goals.empty')}>
              {t('goals.emptyText')}
            </Empty>
          ) : (
            <Branch goals={all} parentId={null} depth={0} onEdit={setEdited} />
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
  onEdit: (goal: Goal) => void;
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
          <GoalRow goal={goal} depth={depth} onEdit={() => onEdit(goal)} />
          <Branch goals={goals} parentId={goal.id} depth={depth + 1} onEdit={onEdit} />
        </li>
      ))}
    </ul>
  );
}

function GoalRow({ goal, depth, onEdit }: { goal: Goal; depth: number; onEdit: () => void }) {
  const { issuePrefix } = useCompany();
  const { total, open } = goal.issueCounts;
  return (
    <div
      className="flex min-h-11 items-center gap-3 border-b border-line bg-surface py-1.5 pr-4 hover:bg-hover"
      style={{ paddingLeft: 16 + depth * 20 }}
    >
      <button
        type="button"
        onClick={onEdit}
        className="flex min-w-0 flex-1 items-baseline gap-2 text-left"
      >
        <span className="truncate font-medium">{goal.title}</span>
        <span className="truncate text-sm text-muted max-md:hidden">{goal.descriptionExcerpt}</span>
      </button>
      <span className="text-sm text-muted max-lg:hidden">{goal.ownerName}</span>
      <span className="text-sm text-faint max-md:hidden">{word('goalLevel', goal.level)}</span>
      <Link
        to="/$company/issues"
        params={{ company: issuePrefix }}
        search={{ goalId: goal.id }}
        className="w-36 shrink-0 hover:underline max-md:w-20"
      >
        <Progress done={total - open} total={total} label={t('goals.issues', { total })} />
      </Link>
      <Tag tone={TONES[goal.status]}>{word('goalStatus', goal.status)}</Tag>
    </div>
  );
}

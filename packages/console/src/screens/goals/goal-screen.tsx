import { Link, useParams } from '@tanstack/react-router';
import { Pencil, Plus } from 'lucide-react';
import { useState } from 'react';
import { useCompany } from '../../data/company';
import { useGoals, useProjects } from '../../data/directory';
import { useRead } from '../../data/read';
import { useMayWrite } from '../../data/rights';
import { t, word } from '../../i18n';
import { Button } from '../../ui/button';
import { Progress } from '../../ui/figures/progress';
import { Markdown } from '../../ui/markdown/markdown';
import { Facts, Page, Panel, Section } from '../../ui/page';
import { Loading } from '../../ui/states';
import { ProjectTag } from '../projects/projects-screen';
import type { Goal } from './goal';
import { GoalForm } from './goal-form';
import { GoalTag } from './goals-screen';

export function GoalScreen() {
  const { goal: goalId } = useParams({ strict: false }) as { goal: string };
  const goal = useRead('/api/goals/{goalId}', { path: { goalId } });
  const goals = useGoals();
  const projects = useProjects();
  const mayWrite = useMayWrite();
  const [form, setForm] = useState<'edit' | 'new'>();
  const listed = goals.data?.find(({ id }) => id === goalId);
  const below = (goals.data ?? []).filter(({ parentId }) => parentId === goalId);
  const linked = (projects.data ?? []).filter(({ goalIds }) => goalIds.includes(goalId));
  return (
    <Loading of={goal}>
      {(data) => (
        <Page
          title={data.title}
          aside={<GoalTag status={data.status} />}
          width="measure"
          actions={
            mayWrite && (
              <>
                <Button icon={Pencil} onClick={() => setForm('edit')}>
                  {t('action.edit')}
                </Button>
                <Button tone="primary" icon={Plus} onClick={() => setForm('new')}>
                  {t('goals.newBelow')}
                </Button>
              </>
            )
          }
        >
          {data.description && <Markdown className="mb-5" text={data.description} />}
          {listed && <About goal={listed} goals={goals.data ?? []} />}
          <Section title={t('goals.below')}>
            <List
              none={t('goals.noneBelow')}
              rows={below.map((each) => ({
                ...each,
                link: { to: '/$company/goals/$goal', params: { goal: each.id } },
                name: each.title,
                tag: <GoalTag status={each.status} />,
              }))}
            />
          </Section>
          <Section title={t('nav.projects')}>
            <List
              none={t('goals.noProject')}
              rows={linked.map((each) => ({
                ...each,
                link: { to: '/$company/projects/$project', params: { project: each.id } },
                tag: <ProjectTag status={each.status} />,
              }))}
            />
          </Section>
          {form && (
            <GoalForm
              {...(form === 'edit' ? { goal: listed } : { parentId: goalId })}
              goals={goals.data ?? []}
              onClose={() => setForm(undefined)}
            />
          )}
        </Page>
      )}
    </Loading>
  );
}

function About({ goal, goals }: { goal: Goal; goals: readonly Goal[] }) {
  const { issuePrefix: company } = useCompany();
  const { total, open } = goal.issueCounts;
  const parent = goals.find(({ id }) => id === goal.parentId);
  return (
    <Section title={t('project.about')}>
      <Facts
        facts={[
          [t('goals.level'), word('goalLevel', goal.level)],
          parent && [
            t('goals.parent'),
            <Link
              key="parent"
              to="/$company/goals/$goal"
              params={{ company, goal: parent.id }}
              className="text-accent hover:underline"
            >
              {parent.title}
            </Link>,
          ],
          goal.ownerName !== null && [t('goals.owner'), goal.ownerName],
          [
            t('goals.progress'),
            <Link
              key="issues"
              to="/$company/issues"
              params={{ company }}
              search={{ servesGoalId: goal.id, view: 'all' }}
              className="flex max-w-64 hover:underline"
            >
              <Progress
                isFull
                done={total - open}
                total={total}
                label={t('goals.issues', { total })}
              />
            </Link>,
          ],
        ]}
      />
    </Section>
  );
}

interface ListRow {
  id: string;
  name: string;
  issueCounts: { total: number; open: number };
  tag: React.ReactNode;
  link: { to: string; params: Record<string, string> };
}

function List({ rows, none }: { rows: readonly ListRow[]; none: string }) {
  const { issuePrefix: company } = useCompany();
  if (rows.length === 0) return <p className="text-sm text-muted">{none}</p>;
  return (
    <Panel>
      {rows.map(({ id, name, issueCounts: { total, open }, tag, link }) => (
        <Link
          key={id}
          to={link.to as '/$company'}
          params={{ company, ...link.params }}
          className="flex min-h-11 items-center gap-3 border-b border-line px-4 py-1.5 last:border-0 hover:bg-hover max-md:flex-wrap"
        >
          <span className="min-w-0 flex-1 truncate font-medium max-md:basis-full">{name}</span>
          <span className="flex w-40 shrink-0">
            <Progress
              isFull
              done={total - open}
              total={total}
              label={t('goals.issues', { total })}
            />
          </span>
          <span className="w-24 shrink-0">{tag}</span>
        </Link>
      ))}
    </Panel>
  );
}

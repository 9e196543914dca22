import { Link } from '@tanstack/react-router';
import { useCompany } from '../../data/company';
import { useRead } from '../../data/read';
import { t, word } from '../../i18n';
import { Panel, Section } from '../../ui/page';
import { Loading, Skeleton } from '../../ui/states';
import { Ago } from '../../ui/time';
import { RoutineRunTag } from '../routines/routine-run-tag';

export function RoutineRuns({ routineId }: { routineId: string }) {
  const { issuePrefix: company } = useCompany();
  const runs = useRead('/api/routines/{routineId}/runs', { path: { routineId } });
  return (
    <Section title={t('routine.runs')}>
      <Panel>
        <Loading of={runs} skeleton={<Skeleton rows={4} height={36} />}>
          {(rows) =>
            rows.length === 0 ? (
              <p className="px-3 py-3 text-sm text-muted">{t('routine.noRuns')}</p>
            ) : (
              <ul className="divide-y divide-line">
                {rows.map((run) => (
                  <li
                    key={run.id}
                    className="flex min-h-9 flex-wrap items-center gap-x-3 px-3 py-1 text-sm"
                  >
                    <RoutineRunTag status={run.status} reason={run.failureReason} />
                    <span className="text-muted">{word('routineSource', run.source)}</span>
                    <span className="min-w-0 flex-1 truncate text-bad">{run.failureReason}</span>
                    {run.linkedIssueId && (
                      <Link
                        to="/$company/issues/$issue"
                        params={{ company, issue: run.linkedIssueId }}
                        className="text-accent hover:underline"
                      >
                        {t('routines.openIssue')}
                      </Link>
                    )}
                    {run.heartbeatRunId && (
                      <Link
                        to="/$company/runs/$run"
                        params={{ company, run: run.heartbeatRunId }}
                        className="text-accent hover:underline"
                      >
                        {t('agents.openRun')}
                      </Link>
                    )}
                    <Ago
                      at={run.triggeredAt}
                      className="w-20 text-right whitespace-nowrap text-muted"
                    />
                  </li>
                ))}
              </ul>
            )
          }
        </Loading>
      </Panel>
    </Section>
  );
}

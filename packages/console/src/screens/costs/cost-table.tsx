import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useCompany } from '../../data/company';
import { useRead } from '../../data/read';
import { t } from '../../i18n';
import { formatCents, formatCompact } from '../../i18n/formats';
import { Progress } from '../../ui/figures/progress';
import { Panel } from '../../ui/page';
import { Loading } from '../../ui/states';

export const COST_TABS = ['agent', 'project', 'model', 'issue'] as const;
export type CostTab = (typeof COST_TABS)[number];

interface Line {
  key: string;
  name: ReactNode;
  costCents: number;
  inputTokens: number;
  outputTokens: number;
  aside?: ReactNode;
}

export function CostTable({ tab, month }: { tab: CostTab; month: string | undefined }) {
  if (tab === 'agent') return <ByAgent month={month} />;
  if (tab === 'project') return <ByProject month={month} />;
  if (tab === 'model') return <ByModel month={month} />;
  return <ByIssue month={month} />;
}

function useReport<Path extends Parameters<typeof useRead>[0]>(
  path: Path,
  month: string | undefined,
) {
  const { id: companyId } = useCompany();
  return useRead(path, { path: { companyId }, query: { month } } as never, { keepPrevious: true });
}

function ByAgent({ month }: { month: string | undefined }) {
  const { issuePrefix: company } = useCompany();
  const report = useReport('/api/companies/{companyId}/costs/by-agent', month);
  return (
    <Loading of={report}>
      {(rows) => (
        <Lines
          lines={rows.map(({ agentId, agentName, budgetMonthlyCents, ...row }) => ({
            ...row,
            key: agentId,
            name: (
              <>
                <Link
                  to="/$company/agents/$agent"
                  params={{ company, agent: agentId }}
                  className="hover:underline"
                >
                  {agentName}
                </Link>
                {row.disputedCents > 0 && (
                  <span className="block text-sm text-faint">
                    {t('costs.disputedBy', { amount: formatCents(row.disputedCents) })}
                  </span>
                )}
              </>
            ),
            aside: row.unlimited ? (
              <span className="text-sm text-faint">{t('money.unlimited')}</span>
            ) : (
              <Progress
                done={row.costCents}
                total={budgetMonthlyCents}
                tone={
                  row.costCents >= budgetMonthlyCents
                    ? 'bad'
                    : row.costCents >= budgetMonthlyCents * 0.8
                      ? 'warn'
                      : 'accent'
                }
                label={formatCents(budgetMonthlyCents)}
              />
            ),
          }))}
        />
      )}
    </Loading>
  );
}

function ByProject({ month }: { month: string | undefined }) {
  const report = useReport('/api/companies/{companyId}/costs/by-project', month);
  return (
    <Loading of={report}>
      {(rows) => (
        <Lines
          lines={rows.map((row) => ({
            ...row,
            key: row.projectId ?? 'none',
            name: row.projectName ?? t('costs.noProject'),
          }))}
        />
      )}
    </Loading>
  );
}

function ByModel({ month }: { month: string | undefined }) {
  const report = useReport('/api/companies/{companyId}/costs/by-model', month);
  return (
    <Loading of={report}>
      {(rows) => (
        <Lines
          lines={rows.map((row) => ({
            ...row,
            key: `${row.provider} ${row.model}`,
            name: `${row.model} (${row.provider})`,
          }))}
        />
      )}
    </Loading>
  );
}

function ByIssue({ month }: { month: string | undefined }) {
  const { issuePrefix: company } = useCompany();
  const report = useReport('/api/companies/{companyId}/costs/by-issue', month);
  return (
    <Loading of={report}>
      {(rows) => (
        <Lines
          lines={rows.map((row) => ({
            ...row,
            key: row.issueId ?? 'none',
            name: row.identifier ? (
              <Link
                to="/$company/issues/$issue"
                params={{ company, issue: row.identifier }}
                className="hover:underline"
              >
                <span className="text-muted">{row.identifier}</span> {row.title}
              </Link>
            ) : (
              t('costs.noIssue')
            ),
          }))}
        />
      )}
    </Loading>
  );
}

function Lines({ lines }: { lines: Line[] }) {
  if (lines.length === 0) return <p className="text-sm text-muted">{t('costs.nothing')}</p>;
  const dearestFirst = [...lines].sort((one, other) => other.costCents - one.costCents);
  const hasAside = lines.some(({ aside }) => aside !== undefined);
  return (
    <Panel>
      <table className="w-full text-left">
        <thead className="border-b border-line text-sm text-muted">
          <tr>
            <th scope="col" className="px-4 py-2 font-normal">
              {t('costs.on')}
            </th>
            {hasAside && (
              <th scope="col" className="w-40 px-4 py-2 font-normal max-md:hidden">
                {t('costs.budget')}
              </th>
            )}
            <th scope="col" className="px-4 py-2 text-right font-normal max-md:hidden">
              {t('costs.tokens')}
            </th>
            <th scope="col" className="px-4 py-2 text-right font-normal">
              {t('costs.spent')}
            </th>
          </tr>
        </thead>
        <tbody>
          {dearestFirst.map(({ key, name, costCents, inputTokens, outputTokens, aside }) => (
            <tr key={key} className="h-10 border-b border-line last:border-0 hover:bg-hover">
              <td className="max-w-0 truncate px-4">{name}</td>
              {hasAside && <td className="px-4 max-md:hidden">{aside}</td>}
              <td className="px-4 text-right text-sm text-muted max-md:hidden">
                {formatCompact(inputTokens + outputTokens)}
              </td>
              <td className="px-4 text-right font-medium">{formatCents(costCents)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
}

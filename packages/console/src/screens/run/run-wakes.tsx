import { Link } from '@tanstack/react-router';
import { useCompany } from '../../data/company';
import { t, word } from '../../i18n';
import { Tag } from '../../ui/marks';
import { Ago } from '../../ui/time';
import { reasonOf } from '../runs/run-name';
import type { Run } from './run';

export function RunWakes({ run }: { run: Run }) {
  if (run.wakes.length === 0) return null;
  return (
    <section>
      <h2 className="mb-2 text-sm font-semibold">{t('run.wakes', { count: run.wakes.length })}</h2>
      <ol className="flex flex-col gap-3">
        {run.wakes.map((wake, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: wakes are only ever added at the end
          <li key={index} className="text-sm">
            <div className="flex items-center gap-2">
              <Tag>{word('runSource', wake.source)}</Tag>
              <WakeIssue wake={wake} />
              <span className="flex-1" />
              <Ago at={wake.at} className="shrink-0 text-xs whitespace-nowrap text-muted" />
            </div>
            {wake.reason && wake.reason !== wake.source && (
              <p className="mt-1 whitespace-pre-wrap">{reasonOf({ reason: wake.reason })}</p>
            )}
            {wake.payload && (
              <details className="mt-1">
                <summary className="text-xs text-muted">{t('run.payload')}</summary>
                <pre className="mt-1 max-h-60 overflow-auto rounded border border-line bg-sunken p-2 font-mono text-xs">
                  {JSON.stringify(wake.payload, null, 2)}
                </pre>
              </details>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}

function WakeIssue({ wake }: { wake: Run['wakes'][number] }) {
  const { issuePrefix: company } = useCompany();
  if (!wake.identifier) return null;
  return (
    <Link
      to="/$company/issues/$issue"
      params={{ company, issue: wake.identifier }}
      title={wake.title ?? undefined}
      className="min-w-0 truncate text-accent hover:underline"
    >
      {wake.identifier} {wake.title}
    </Link>
  );
}

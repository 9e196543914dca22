import { Link } from '@tanstack/react-router';
import { useCompany } from '../../data/company';
import { t, word } from '../../i18n';
import { nextStepFor } from './next-step';
import type { Run } from './run';

export function RunError({ run }: { run: Run }) {
  const { issuePrefix: company } = useCompany();
  if (!run.errorCode || run.status === 'succeeded') return null;
  const isFailure = run.status !== 'cancelled';
  return (
    <section
      aria-label={t('runs.error')}
      className={`rounded-md border px-3 py-2.5 text-sm ${
        isFailure ? 'border-bad/40 bg-bad-soft' : 'border-line-strong bg-surface'
      }`}
    >
      <h2 className={`font-semibold ${isFailure ? 'text-bad' : ''}`}>
        {word('errorCode', run.errorCode)}
      </h2>
      <p className="mt-1 whitespace-pre-wrap">{run.error ?? t('run.noError')}</p>
      <p className="mt-2 text-muted">{t(nextStepFor(run.errorCode))}</p>
      <p className="mt-1">
        <Link
          to="/$company/agents/$agent"
          params={{ company, agent: run.agentId }}
          className="text-accent hover:underline"
        >
          {t('run.openAgent')}
        </Link>
      </p>
    </section>
  );
}

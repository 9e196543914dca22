import { Link } from '@tanstack/react-router';
import { useCompany } from '../../data/company';
import { type Key, t, word } from '../../i18n';
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

function nextStepFor(errorCode: string): Key {
  const [, step] = STEPS.find(([codes]) => codes.test(errorCode)) ?? [];
  return step ?? 'run.next.retry';
}

const STEPS: readonly (readonly [RegExp, Key])[] = [
  [/^(agent|company)_budget$/, 'run.next.budget'],
  [/^(agent|company)_paused$/, 'run.next.resume'],
  [/^(timeout|silence)$/, 'run.next.timeout'],
  [/^(rate_limited|quota_exhausted|provider_unavailable)$/, 'run.next.waitForRetry'],
  [/^(not_signed_in|no_key)$/, 'run.next.signIn'],
  [/^repository_/, 'run.next.repository'],
  [/_(not_allowed|not_found|missing|unknown|invalid)$|^http_/, 'run.next.configuration'],
  [/^(adapter_changed|bad_config|secret_unavailable|address_refused)$/, 'run.next.configuration'],
];

import type { Key } from '../../i18n';

export function nextStepFor(errorCode: string): Key {
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

import type { SigningMode } from '@switchyard/types';
import type { Delivery } from './delivery';

export type WebhookGreeting = { challenge: string } | { message: 'pong' };

/**
 * The answer that a sender wants from a URL before it sends work there: Slack the challenge of its `url_verification`
 * (https://docs.slack.dev, "Using the Request URL"), GitHub any 200 to its `ping`. Null for everything else.
 */
export function greetingFor(
  signingMode: SigningMode,
  payload: Record<string, unknown> | null,
  delivery: Delivery | null,
): WebhookGreeting | null {
  if (signingMode === 'github' && delivery?.event === 'ping') return { message: 'pong' };
  if (signingMode !== 'slack' || payload?.type !== 'url_verification') return null;
  const { challenge } = payload;
  return typeof challenge === 'string' ? { challenge } : null;
}

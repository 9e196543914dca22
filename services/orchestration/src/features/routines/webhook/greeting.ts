import type { SigningMode } from '@switchyard/types';
import type { Delivery } from './delivery';

export type WebhookGreeting = { challenge: string } | { message: 'pong' };

/**
 * Returns the response to a URL check: the challenge of Slack's `url_verification`
 * (https://docs.slack.dev, "Using the Request URL"), or any 200 for GitHub's `ping`. Otherwise
 * returns null.
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

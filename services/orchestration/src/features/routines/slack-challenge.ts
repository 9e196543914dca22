import type { SigningMode } from '@switchyard/types';
import type { WebhookPayload } from './webhook-payload';

interface Event {
  type?: unknown;
  challenge?: unknown;
}

/**
 * What Slack wants to hear before it sends events to a URL: the challenge of its signed `url_verification`
 * request (https://docs.slack.dev, "Using the Request URL"). Null for everything else.
 */
export function slackChallenge(
  webhook: { signingMode: SigningMode },
  payload: WebhookPayload | null,
): { challenge: string } | null {
  if (webhook.signingMode !== 'slack' || payload?.encoding !== 'json') return null;
  const { type, challenge } = (payload.body ?? {}) as Event;
  const isAsked = type === 'url_verification' && typeof challenge === 'string';
  return isAsked ? { challenge } : null;
}

import type { SigningMode } from '@switchyard/types';

/**
 * What Slack wants to hear before it sends events to a URL: the challenge of its signed `url_verification`
 * request (https://docs.slack.dev, "Using the Request URL"). Null for everything else.
 */
export function slackChallenge(
  webhook: { signingMode: SigningMode },
  payload: Record<string, unknown> | null,
): { challenge: string } | null {
  if (webhook.signingMode !== 'slack' || payload === null) return null;
  const { type, challenge } = payload;
  const isAsked = type === 'url_verification' && typeof challenge === 'string';
  return isAsked ? { challenge } : null;
}

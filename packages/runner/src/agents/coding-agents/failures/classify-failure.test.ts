import { LINEAR, timesLonger } from '@switchyard/testing';
import type { FailureKind } from '../tool-event';
import { classifyFailure } from './classify-failure';
import { parseResetTime } from './parse-reset-time';

const NOW = new Date(2026, 10, 21, 7, 0, 30);
const HOUR = 3_600_000;

describe('classifyFailure', () => {
  it.each<[FailureKind, string, number | undefined]>([
    ['not_signed_in', 'Not logged in · Please run /login', undefined],
    ['not_signed_in', 'Invalid API key · Fix external API key', 401],
    ['not_signed_in', 'unexpected status 401 Unauthorized: Incorrect API key provided', undefined],
    ['not_signed_in', 'Missing environment variable: `OPENAI_API_KEY`.', undefined],
    ['not_signed_in', 'anything', 403],
    ['quota_exhausted', "You've hit your session limit · resets 8:03am (UTC)", 429],
    ['quota_exhausted', 'You’ve hit your usage limit. try again at 8:08 AM.', undefined],
    ['quota_exhausted', 'Quota exceeded. Check your plan and billing details.', undefined],
    ['quota_exhausted', 'Credit balance is too low', 400],
    ['quota_exhausted', 'anything', 402],
    ['rate_limited', "This request would exceed your account's rate limit.", 429],
    ['rate_limited', 'exceeded retry limit, last status: 429 Too Many Requests', undefined],
    [
      'model_unknown',
      'The model `nope` does not exist or you do not have access to it.',
      undefined,
    ],
    ['model_unknown', 'ProviderModelNotFoundError: Model not found: anthropic/nope.', undefined],
    ['model_unknown', 'model: nope', 404],
    ['provider_unavailable', 'API Error: 529 Overloaded.', 529],
    ['provider_unavailable', 'We’re currently experiencing high demand', undefined],
    ['provider_unavailable', 'stream disconnected before completion', undefined],
    ['session_unknown', 'No conversation found with session ID: 1', undefined],
    ['session_unknown', 'thread/resume failed: no rollout found for thread id 1', undefined],
    ['session_unknown', 'Error: Session not found', undefined],
    ['other', 'I could not find the file', undefined],
    ['other', 'Reached maximum number of turns (500)', undefined],
    ['other', "ENOENT: no such file or directory, open 'src/billing/invoice.ts'", undefined],
    ['other', 'cannot read /srv/app/rate-limit.json', undefined],
    ['other', 'src/rate_limit_error.ts:401: 429 tests failed in 503 ms', undefined],
    ['other', 'cannot find model/overloaded.ts: module model/user not found', undefined],
    ['other', 'wrote docs/http/429.md and status 5000', undefined],
    ['provider_unavailable', 'API Error: 500 {"type":"error"}', undefined],
    ['provider_unavailable', '502 Bad Gateway', undefined],
    ['provider_unavailable', 'it broke in src/billing', 500],
    ['rate_limited', 'HTTP 429', undefined],
    ['rate_limited', 'API Error: Request rejected (429) · slow down', undefined],
    ['rate_limited', '{"type":"error","error":{"type":"rate_limit_error"}}', undefined],
    ['quota_exhausted', 'Claude AI usage limit reached|1763712000', undefined],
    ['quota_exhausted', 'insufficient_quota', 429],
    ['model_unknown', "The 'gpt-x' model is not supported with a ChatGPT account.", 400],
    ['other', '', undefined],
  ])('returns %s for the text: %s', (kind, text, status) => {
    expect(classifyFailure({ text, status, now: NOW }).kind).toBe(kind);
  });

  it.each<[FailureKind, string[]]>([
    ['quota_exhausted', ['usage_limit_reached', 'rate_limit_error']],
    ['quota_exhausted', ['', 'billing_error']],
    ['rate_limited', ['unknown', 'rate_limit']],
    ['other', ['constructor', 'invalid_request']],
  ])('returns %s for the types %p', (kind, types) => {
    expect(classifyFailure({ text: 'src/overload.ts', types, now: NOW }).kind).toBe(kind);
  });

  it('returns the reported end of a limit (at most 8 days from now), or an hour from now if no end is reported', () => {
    const until = (signs: object) =>
      classifyFailure({ text: "You've hit your limit", now: NOW, ...signs }).until;
    const at = NOW.getTime();
    expect(until({ resetsAt: at / 1_000 + 60 })).toEqual(new Date(at + 60_000));
    expect(until({ headers: { 'retry-after': '90' } })).toEqual(new Date(at + 90_000));
    expect(until({})).toEqual(new Date(at + HOUR));
    expect(until({ resetsAt: at / 1_000 - 60 })).toEqual(new Date(at + HOUR));
    expect(until({ resetsAt: at / 1_000 + 1e9 })).toEqual(new Date(at + 8 * 24 * HOUR));
    expect(until({ text: 'Credit balance is too low' })).toBeUndefined();
  });

  it.each([
    'model ',
    'the model a',
    'hit your a',
    'resets ',
    'again at N',
    'again in 1 d',
    'status 4',
    '4',
  ])('processes many repetitions of %p in linear time', (piece) => {
    const classify = (times: number) => classifyFailure({ text: piece.repeat(times), now: NOW });
    expect(timesLonger(classify, 200_000)).toBeLessThan(LINEAR);
  });
});

describe('parseResetTime', () => {
  it.each<[string, Date | undefined]>([
    ['try again at 8:08 AM.', new Date(2026, 10, 21, 8, 9)],
    ['try again at 6:59 AM.', new Date(2026, 10, 22, 7, 0)],
    ['try again at 12:05 AM.', new Date(2026, 10, 22, 0, 6)],
    ['try again at 12:05 PM.', new Date(2026, 10, 21, 12, 6)],
    ['try again at Nov 24th, 2026 8:08 PM.', new Date(2026, 10, 24, 20, 9)],
    ['resets Jan 3, 3pm', new Date(2027, 0, 3, 15, 1)],
    ['resets 3pm (UTC)', new Date(Date.UTC(2026, 10, 21, 15, 1))],
    ['resets at 3:30pm', new Date(2026, 10, 21, 15, 31)],
    ['resets 5:56pm (America/Los_Angeles)', new Date(Date.UTC(2026, 10, 22, 1, 57))],
    ['resets Nov 24, 8am (Europe/Berlin)', new Date(Date.UTC(2026, 10, 24, 7, 1))],
    ['resets 3pm (Nowhere/At_All)', new Date(2026, 10, 21, 15, 1)],
    ['try again in 5 days 22 hours', new Date(NOW.getTime() + 142 * HOUR)],
    ['try again in 3 hours 42 minutes.', new Date(NOW.getTime() + 3.7 * HOUR)],
    ['Please try again in 6m0s.', new Date(NOW.getTime() + 360_000)],
    ['Please try again in 1.5s.', new Date(NOW.getTime() + 1_500)],
    ['{"resets_in_seconds": 90}', new Date(NOW.getTime() + 90_000)],
    ['limit reached|1763712000', new Date(1_763_712_000_000)],
    ['resets Foo 3, 3pm', undefined],
    ['soon', undefined],
  ])('given %j, returns %p', (text, time) => {
    expect(parseResetTime(text, NOW)).toEqual(time);
  });
});

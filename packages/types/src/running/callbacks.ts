import { z } from 'zod';
import { isStorableText } from '../primitives';

export const webAddress = z
  .string()
  .max(4096)
  .refine(isStorableText, { error: 'must be plain text', abort: true })
  .refine((text) => URL.canParse(text), { error: 'must be a URL', abort: true })
  .refine((text) => /^https?:$/.test(new URL(text).protocol), 'must be http or https')
  .refine((text) => {
    const { username, password } = new URL(text);
    return username === '' && password === '';
  }, 'must not contain credentials');

export const callbackUrl = webAddress.describe(
  'Called by POST when the created run, routine run or issue has ended; repeated with the same `webhook-id` until the response is 2xx. Not valid for agents',
);
export const callbackSecret = z
  .string()
  .max(200)
  .describe(
    'Signs the callback according to Standard Webhooks: 24 to 64 random bytes in base64, with or without the prefix `whsec_`. If absent, the callback is not signed',
  );

export const callbackFields = { callbackUrl, callbackSecret };

export const CALLBACK_STATES = ['pending', 'delivered', 'given_up'] as const;

export const callbackState = z
  .enum(CALLBACK_STATES)
  .nullable()
  .describe('State of the callback; null if none was requested');

const HANDLE_TYPES = ['run', 'issue', 'routine_run'] as const;

export const callback = z.object({
  type: z.enum(['run.ended', 'issue.ended', 'routine_run.ended']),
  timestamp: z.iso.datetime().describe('End of the run, routine run or issue'),
  handle: z.object({ type: z.enum(HANDLE_TYPES), id: z.uuid() }),
  status: z.string().describe('Status of the run, routine run or issue'),
  summary: z
    .string()
    .nullable()
    .describe('First line of `result`, or else the reason of the failure'),
  result: z
    .string()
    .nullable()
    .describe('The last comment, or else the end of the log; at most 10,000 characters'),
  cost: z.object({ cents: z.int(), inputTokens: z.int(), outputTokens: z.int() }),
  documents: z.array(z.object({ key: z.string(), title: z.string().nullable(), link: z.string() })),
  link: z.string().describe('Address of the console page'),
});

export type CallbackState = (typeof CALLBACK_STATES)[number];
export type HandleType = (typeof HANDLE_TYPES)[number];
export type CallbackView = z.infer<typeof callback>;
export interface CallbackFields {
  callbackUrl?: string | undefined;
  callbackSecret?: string | undefined;
}

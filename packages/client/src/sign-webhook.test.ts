import { createHmac } from 'node:crypto';
import { signWebhook } from './sign-webhook';

describe('signWebhook', () => {
  it.each([
    ['text', 'größer'],
    ['bytes', new Uint8Array([0, 255, 10])],
    ['nothing', ''],
  ])('returns the hexadecimal HMAC of the timestamp, a full stop and %s', async (_what, body) => {
    const at = new Date(1_800_000_000_999);
    const digest = createHmac('sha256', 'secret').update('1800000000.').update(body).digest('hex');
    expect(await signWebhook('secret', body, at)).toEqual({
      'X-Service-Timestamp': '1800000000',
      'X-Service-Signature': digest,
    });
  });
});

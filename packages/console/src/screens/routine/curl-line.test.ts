import { curlLine, hasCurlLine } from './curl-line';

describe('the line that fires a webhook', () => {
  it('sends the secret itself where the trigger takes it so', () => {
    const line = curlLine('http://127.0.0.1/fire', 'bearer');
    expect(line).toContain(`-X POST 'http://127.0.0.1/fire'`);
    expect(line).toContain('-H "Authorization: Bearer $SECRET"');
    expect(line).toMatch(/^SECRET='<secret>'\n/);
    expect(line).not.toContain('openssl');
  });

  it('signs the time and the body where the trigger takes a signature', () => {
    const line = curlLine('http://127.0.0.1/fire', 'hmac_sha256', 'whsec_1');
    expect(line).toMatch(/^SECRET='whsec_1'\n/);
    expect(line).toContain(`printf '%s.%s' "$TIMESTAMP" "$BODY"`);
    expect(line).toContain('-H "X-Service-Signature: sha256=$SIGNATURE" -d "$BODY"');
    expect(line).not.toContain('Bearer');
  });

  it('is there only for what a shell can sign', () => {
    expect(['bearer', 'hmac_sha256', 'github', 'stripe', 'slack'].filter(hasCurlLine)).toEqual([
      'bearer',
      'hmac_sha256',
    ]);
  });
});

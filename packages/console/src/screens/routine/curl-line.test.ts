import { curlLine, hasCurlLine } from './curl-line';

describe('curlLine', () => {
  it('sends the secret itself to a bearer trigger', () => {
    const line = curlLine('http://127.0.0.1/fire', 'bearer');
    expect(line).toContain(`-X POST 'http://127.0.0.1/fire'`);
    expect(line).toContain('-H "Authorization: Bearer $SECRET"');
    expect(line).toMatch(/^SECRET='<secret>'\n/);
    expect(line).not.toContain('openssl');
  });

  it('signs the time and the body for an hmac_sha256 trigger', () => {
    const line = curlLine('http://127.0.0.1/fire', 'hmac_sha256', 'whsec_1');
    expect(line).toMatch(/^SECRET='whsec_1'\n/);
    expect(line).toContain(`printf '%s.%s' "$TIMESTAMP" "$BODY"`);
    expect(line).toContain('-H "X-Service-Signature: sha256=$SIGNATURE" -d "$BODY"');
    expect(line).not.toContain('Bearer');
  });

  it('supports only signing modes that a shell command can compute', () => {
    expect(['bearer', 'hmac_sha256', 'github', 'stripe', 'slack'].filter(hasCurlLine)).toEqual([
      'bearer',
      'hmac_sha256',
    ]);
  });
});

import { execFileSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { curlLine } from './curl-line';

describe('the line that fires a webhook', () => {
  it.each(['bearer', 'hmac_sha256'])('is one that a shell takes, for %s', (signingMode) => {
    const line = curlLine('http://127.0.0.1/fire', signingMode);
    // The shell's own `curl` prints what it was called with.
    const script = `SECRET=geheim; date() { echo 1700000000; }; curl() { printf '%s\\n' "$@"; }\n${line}`;
    const sent = execFileSync('sh', ['-c', script], { encoding: 'utf8' }).split('\n');
    expect(sent).toContain('http://127.0.0.1/fire');
    expect(sent).toContain('{"hello":"world"}');
    const signature = createHmac('sha256', 'geheim')
      .update('1700000000.{"hello":"world"}')
      .digest('hex');
    expect(sent).toContain(
      signingMode === 'bearer'
        ? 'Authorization: Bearer geheim'
        : `X-Service-Signature: sha256=${signature}`,
    );
  });
});

import { generateKeyPairSync } from 'node:crypto';
import { linesOfKey, looksLikePrivateKey, readPrivateKey } from './private-key';

const PEM = generateKeyPairSync('ed25519')
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString();

const refusal = (secret: string) => {
  try {
    return readPrivateKey(secret);
  } catch (error) {
    return (error as { outcome: { errorCode: string; error: string } }).outcome;
  }
};

/** The beginning of OpenSSH's form, as far as it tells the cipher. */
const openssh = (cipher: string) => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(cipher.length);
  const bytes = Buffer.concat([Buffer.from('openssh-key-v1\0'), length, Buffer.from(cipher)]);
  const body = bytes.toString('base64');
  return `-----BEGIN OPENSSH PRIVATE KEY-----\n${body}\n-----END OPENSSH PRIVATE KEY-----\n`;
};

describe('a secret that is a private key', () => {
  it.each([
    ['as it was written', PEM],
    ['without its last line end', PEM.trim()],
    ['amid white space', `\n  ${PEM}\n\n`],
    ['with the line ends of another system', PEM.replaceAll('\n', '\r\n')],
  ])('is read as ssh wants it: %s', (_how, secret) => {
    expect(readPrivateKey(secret)).toBe(PEM);
  });

  it('is known by its first and last line, and told from one with a passphrase', () => {
    expect(readPrivateKey(openssh('none'))).toBe(openssh('none'));
    const locked = {
      errorCode: 'repository_credential',
      error: expect.stringMatching('passphrase'),
    };
    expect(refusal(openssh('aes256-ctr'))).toMatchObject(locked);
    for (const secret of [
      '',
      'a token',
      PEM.slice(0, -10),
      PEM.replace('END PRIVATE', 'END RSA PRIVATE'),
      PEM.replaceAll('PRIVATE', 'PUBLIC'),
      `x${PEM}`,
    ]) {
      expect(refusal(secret)).toMatchObject({
        errorCode: 'repository_credential',
        error: expect.stringMatching('must be a private key'),
      });
    }
  });

  it('is seen as one though it is damaged, so that nobody sends it to a host', () => {
    expect(looksLikePrivateKey(PEM.slice(0, -10))).toBe(true);
    expect(looksLikePrivateKey('user:token')).toBe(false);
    expect(linesOfKey(PEM.replaceAll('\n', '\r\n'))).toEqual([PEM.split('\n')[1]]);
    expect(linesOfKey('user:token')).toEqual([]);
  });

  it('is read in a moment, whatever it is', () => {
    const begin = performance.now();
    for (const filler of [' ', '\n', '-', 'A ', '\r\n']) {
      refusal(`-----BEGIN PRIVATE KEY-----\n${filler.repeat(8_192)}x`);
      refusal(`-----BEGIN ${filler.repeat(8_192)}PRIVATE KEY-----`);
    }
    expect(performance.now() - begin).toBeLessThan(500);
  });
});

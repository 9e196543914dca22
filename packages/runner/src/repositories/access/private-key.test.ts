import { generateKeyPairSync } from 'node:crypto';
import { LINEAR, timesLonger } from '@switchyard/testing';
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

const openssh = (cipher: string) => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(cipher.length);
  const bytes = Buffer.concat([Buffer.from('openssh-key-v1\0'), length, Buffer.from(cipher)]);
  const body = bytes.toString('base64');
  return `-----BEGIN OPENSSH PRIVATE KEY-----\n${body}\n-----END OPENSSH PRIVATE KEY-----\n`;
};

describe('readPrivateKey()', () => {
  it.each([
    ['in the required format', PEM],
    ['without the final newline', PEM.trim()],
    ['surrounded by white space', `\n  ${PEM}\n\n`],
    ['with CRLF line endings', PEM.replaceAll('\n', '\r\n')],
  ])('given a key %s, returns the key in the format that ssh requires', (_how, secret) => {
    expect(readPrivateKey(secret)).toBe(PEM);
  });

  it('rejects a key with a passphrase, and text that is not a private key', () => {
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

  it('detects a damaged key, so that the key is not sent to a host', () => {
    expect(looksLikePrivateKey(PEM.slice(0, -10))).toBe(true);
    expect(looksLikePrivateKey('user:token')).toBe(false);
    expect(linesOfKey(PEM.replaceAll('\n', '\r\n'))).toEqual([PEM.split('\n')[1]]);
    expect(linesOfKey('user:token')).toEqual([]);
  });

  it('processes any text in linear time', () => {
    for (const filler of [' ', '\n', '-', 'A ', '\r\n']) {
      const read = (size: number) => {
        refusal(`-----BEGIN PRIVATE KEY-----\n${filler.repeat(size)}x`);
        refusal(`-----BEGIN ${filler.repeat(size)}PRIVATE KEY-----`);
      };
      expect(timesLonger(read, 8_192)).toBeLessThan(LINEAR);
    }
  });
});

import { failure } from './repository-failure';

const FORM = /^-----BEGIN ((?:[A-Z]+ )?PRIVATE KEY)-----\s+([\s\S]+?)\s+-----END \1-----$/;
const OPENSSH_MAGIC = 'openssh-key-v1\0';

/** OpenSSH's own form begins with the name of the cipher that it is encrypted with. */
function hasPassphrase(kind: string, text: string): boolean {
  if (kind !== 'OPENSSH PRIVATE KEY')
    return /^ENCRYPTED|^Proc-Type: 4,ENCRYPTED/m.test(`${kind}\n${text}`);
  const bytes = Buffer.from(text, 'base64');
  const at = OPENSSH_MAGIC.length + 4;
  return bytes.toString('latin1', at, at + 4) !== 'none';
}

export const isPrivateKey = (secret: string) => FORM.test(secret.trim());

/**
 * A secret as ssh reads it from a file: with line ends as it wants them, and one at the end.
 * @throws RepositoryFailure `repository_credential`
 */
export function readPrivateKey(secret: string): string {
  const text = secret.trim().replaceAll('\r\n', '\n');
  const [, kind, body] = FORM.exec(text) ?? [];
  if (!kind || !body) {
    const said =
      'the repoCredential of an ssh address must be a private key, as ssh-keygen writes it';
    throw failure('repository_credential', said);
  }
  if (hasPassphrase(kind, body)) {
    const said = 'the private key has a passphrase, which nobody is there to type';
    throw failure('repository_credential', said);
  }
  return `${text}\n`;
}

/** The parts of a secret that would tell it, each by itself. */
export function linesOfKey(secret: string): string[] {
  if (!isPrivateKey(secret)) return [];
  return secret.split(/\r?\n/).filter((line) => line !== '' && !line.startsWith('-----'));
}

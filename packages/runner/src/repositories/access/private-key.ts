import { failure } from '../repository-failure';

const FIRST_LINE = /^-----BEGIN ((?:[A-Z]+ )?PRIVATE KEY)-----[ \t]*\n/;
const OPENSSH_MAGIC = 'openssh-key-v1\0';

function hasPassphrase(kind: string, body: string): boolean {
  if (kind !== 'OPENSSH PRIVATE KEY') {
    return kind.startsWith('ENCRYPTED') || body.startsWith('Proc-Type: 4,ENCRYPTED');
  }
  const bytes = Buffer.from(body, 'base64');
  const at = OPENSSH_MAGIC.length + 4;
  return bytes.toString('latin1', at, at + 4) !== 'none';
}

/** Includes damaged keys, because no host may receive them either. */
export const looksLikePrivateKey = (secret: string) => secret.includes('PRIVATE KEY-----');

/**
 * Normalises line endings for ssh.
 * @throws RepositoryFailure `repository_credential`
 */
export function readPrivateKey(secret: string): string {
  const text = secret.trim().replaceAll('\r\n', '\n');
  const [first, kind] = FIRST_LINE.exec(text) ?? [];
  const last = `\n-----END ${kind}-----`;
  if (!first || !kind || !text.endsWith(last)) {
    const said =
      'the repoCredential of an ssh address must be a private key, in the format of ssh-keygen';
    throw failure('repository_credential', said);
  }
  if (hasPassphrase(kind, text.slice(first.length, -last.length))) {
    const said = 'the private key has a passphrase; use a key without one';
    throw failure('repository_credential', said);
  }
  return `${text}\n`;
}

export function linesOfKey(secret: string): string[] {
  if (!looksLikePrivateKey(secret)) return [];
  return secret.split(/\r?\n/).filter((line) => line !== '' && !line.startsWith('-----'));
}

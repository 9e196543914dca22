// @ts-check
export class UserError extends Error {
  /** @param {string} cause @param {string} next @param {string} [detail] */
  constructor(cause, next, detail = '') {
    super(cause);
    this.name = 'UserError';
    this.next = next;
    this.detail = detail.trim();
  }
}

/** @type {[RegExp, string, string][]} */
const SIGNS = [
  [
    /ENOSPC|No space left on device/i,
    'The disk is full.',
    'Free some space and start again; nothing was lost.',
  ],
  [
    /SELF_SIGNED_CERT|UNABLE_TO_(GET|VERIFY)|CERT_/,
    "The package registry's certificate is not trusted.",
    'Set NODE_EXTRA_CA_CERTS to the certificate of your proxy and start again.',
  ],
  [
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|META_FETCH_FAIL|Temporary failure resolving/,
    'The package registry cannot be reached.',
    'Check the network (behind a proxy: HTTPS_PROXY) and start again.',
  ],
  [
    /OUTDATED_LOCKFILE|FROZEN_LOCKFILE/,
    'pnpm-lock.yaml does not match the package.json files.',
    'Undo the change, or update the lock: npx <packageManager of package.json> install',
  ],
  [
    /EROFS|Read-only file system/i,
    'The folder is on a read-only file system.',
    'Use a writable copy of the project, or set DATA_DIR to a writable folder.',
  ],
  [
    /EACCES|EPERM|Permission denied/i,
    'This account does not have the required permissions.',
    'Check the owner of the project folder and of DATA_DIR (a start as root creates files owned by root).',
  ],
];

/** @param {string} what @param {string} output @param {string} otherwise */
export function explain(what, output, otherwise) {
  const [, cause, next] = SIGNS.find(([sign]) => sign.test(output)) ?? [];
  const text = cause ? `${what} failed. ${cause}` : `${what} failed.`;
  return new UserError(text, next ?? otherwise, lastLines(output, 15));
}

/** @param {string} text @param {number} count */
export const lastLines = (text, count) => text.trimEnd().split('\n').slice(-count).join('\n');

import type { AdapterOutcome } from '../agents/agent-adapter';

export class RepositoryFailure extends Error {
  constructor(readonly outcome: AdapterOutcome) {
    super('error' in outcome ? outcome.error : outcome.status);
  }
}

export function failure(errorCode: string, error: string, transient = false): RepositoryFailure {
  return new RepositoryFailure({ status: 'failed', exitCode: null, errorCode, error, transient });
}

interface Sign {
  pattern: RegExp;
  errorCode: string;
  message: string;
  transient?: true;
}

/** Messages of git, libcurl and ssh in the C locale; the first match decides. */
const SIGNS: readonly Sign[] = [
  {
    pattern: /\bssh: (command )?not found|cannot run ssh|ssh: No such file/i,
    errorCode: 'ssh_missing',
    message: 'ssh is not installed on the runner’s host',
  },
  {
    pattern: /Host key verification failed|REMOTE HOST IDENTIFICATION HAS CHANGED/i,
    errorCode: 'repository_host_key',
    message: 'the host key is not among the known keys, or has changed',
  },
  {
    pattern:
      /Authentication failed|could not read (Username|Password)|error: 40[13]\b|Permission denied \(|Invalid username or/i,
    errorCode: 'repository_auth',
    message: 'the host refuses the credential, or requires one',
  },
  {
    pattern: /unable to update url base from redirection|error: 30[12378]\b/i,
    errorCode: 'repository_redirected',
    message: 'the address redirects to another one, and redirects are not followed',
  },
  {
    pattern: /couldn't find remote ref|not our ref|unadvertised object|no such remote ref/i,
    errorCode: 'repository_ref_unknown',
    message: '`repoRef` must be a branch, tag or commit that exists in the repository',
  },
  {
    pattern:
      /repository '?.*'? not found|error: 404\b|Repository not found|does not appear to be a git repository|not valid: is this a git repository/i,
    errorCode: 'repository_not_found',
    message: 'the repository does not exist, or this credential has no access to it',
  },
  {
    pattern: /certificate|SSL peer|gnutls_handshake|TLS connect/i,
    errorCode: 'repository_tls',
    message: 'the host’s certificate is not trusted',
  },
  {
    pattern: /No space left on device|Disk quota exceeded|unable to create temporary file/i,
    errorCode: 'repository_storage',
    message: 'the disk of the runner is full',
    transient: true,
  },
  {
    pattern: /protocol '.*' (is )?not (allowed|supported)|transport '.*' not allowed/i,
    errorCode: 'repository_address_refused',
    message: 'the address must be https or ssh',
  },
  {
    pattern:
      /Could not resolve host|Failed to connect|Couldn't connect|Connection (refused|reset|timed out|closed)|Operation (timed out|too slow)|timed out|Network is unreachable|No route to host|remote end hung up|from proxy after CONNECT|CONNECT tunnel failed|early EOF|Empty reply|error: (429|5\d\d)\b|RPC failed|Recv failure|transfer closed/i,
    errorCode: 'repository_unreachable',
    message: 'the host is unreachable or responds with an error',
    transient: true,
  },
];

const MAX_QUOTED = 300;

function lastMessage(stderr: string): string {
  const lines = stderr.split(/[\r\n]+/).filter((line) => line.trim() !== '');
  const line =
    lines.findLast((one) => /^(fatal|error|remote|ssh):/.test(one)) ?? lines.at(-1) ?? '';
  return line.replace(/\p{Cc}/gu, ' ').slice(0, MAX_QUOTED);
}

export function failureFromGit(what: string, stderr: string): RepositoryFailure {
  const sign = SIGNS.find(({ pattern }) => pattern.test(stderr));
  const lastLine = lastMessage(stderr);
  const quoted = lastLine === '' ? '' : ` (${lastLine})`;
  if (!sign) return failure('repository_failed', `${what} failed${quoted}`);
  return failure(sign.errorCode, `${what}: ${sign.message}${quoted}`, sign.transient ?? false);
}

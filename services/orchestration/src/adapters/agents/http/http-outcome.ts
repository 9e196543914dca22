import type { AdapterOutcome } from '@switchyard/runner/agents/agent-adapter';
import { isDecodingError } from './decode-body';

const TRANSIENT_CLIENT_ERRORS = [408, 425, 429];

export interface HttpAnswer {
  status: number;
  isSigned: boolean;
  retryAfterMs: number | undefined;
}

export function describeAnswer(answer: HttpAnswer): AdapterOutcome {
  const { status, retryAfterMs } = answer;
  if (status >= 200 && status < 300) return { status: 'succeeded', exitCode: null };
  const hint = hintFor(answer);
  const error = `answered ${status}${hint === null ? '' : `: ${hint}`}`;
  const failed = { status: 'failed', exitCode: null, error } as const;
  if (status < 400) return { ...failed, errorCode: 'http_redirect', transient: false };
  if (status < 500 && !TRANSIENT_CLIENT_ERRORS.includes(status)) {
    return { ...failed, errorCode: 'http_status', transient: false };
  }
  const wait = retryAfterMs === undefined ? {} : { retryAfterMs };
  return { ...failed, errorCode: `http_${status}`, transient: true, ...wait };
}

function hintFor({ status, isSigned }: HttpAnswer): string | null {
  if (status < 400)
    return 'redirects are not followed; adapterConfig.url must be the redirect’s target';
  if (status === 401 || status === 403) return isSigned ? CHECK_SIGNATURE : SEND_CREDENTIAL;
  if (status === 404 || status === 410) return 'check adapterConfig.url';
  if (status === 405) return 'check adapterConfig.method';
  return null;
}

const CHECK_SIGNATURE =
  'the agent refused the call; signingSecret must name the secret with which the agent checks the signature, and both clocks must agree';
const SEND_CREDENTIAL =
  'the agent refused the call, which is not signed; set adapterConfig.signingSecret if the agent checks signatures, otherwise adapterConfig.headers';

/** Reports only the code, because a URL may contain a credential. */
export function describeConnectionError(error: unknown): AdapterOutcome {
  const code = (error as { code?: unknown }).code;
  const name = typeof code === 'string' ? code : 'unknown';
  if (isDecodingError(name)) {
    const error = `the response does not match its Content-Encoding (${name})`;
    return {
      status: 'failed',
      exitCode: null,
      errorCode: 'http_encoding',
      error,
      transient: false,
    };
  }
  const isOurMistake = /^ERR_(INVALID_|UNESCAPED_|HTTP_INVALID_)/.test(name);
  return {
    status: 'failed',
    exitCode: null,
    errorCode: isOurMistake ? 'http_request_invalid' : 'http_unreachable',
    error: `no answer (${name})`,
    transient: !isOurMistake,
  };
}

import type { SeenAnswer } from '@switchyard/testing';
import { ERROR_CODES } from '@switchyard/types';
import type { Question, Reply } from '../ask';
import type { KnownOperation } from '../operations';

const CODES: readonly unknown[] = ERROR_CODES;

const typeOf = ({ headers }: Reply) => String(headers['content-type'] ?? '').split(';')[0] ?? '';

export function faultOf(reply: Reply): string | null {
  const { status, headers, body } = reply;
  if (status >= 500) return `a ${status}`;
  if (status < 400) return null;
  const { error, code, requestId } = Object(body) as Record<string, unknown>;
  if (typeof error !== 'string' || error === '') return 'no sentence';
  if (!CODES.includes(code)) return `the code ${code}`;
  if (requestId !== headers['x-correlation-id']) return 'another requestId';
  if (JSON.stringify(body).length > 20_000) return 'an answer that is too long';
  return null;
}

export function undeclaredIn(operation: KnownOperation, reply: Reply): string | null {
  const types = operation.answers[reply.status];
  if (!types) return `the status ${reply.status}`;
  const type = typeOf(reply);
  const fits = types.length === 0 ? type === '' : types.includes(type) || types.includes('*/*');
  return fits ? null : `the type ${type} of a ${reply.status}`;
}

export function seenFrom(operation: KnownOperation, question: Question, reply: Reply): SeenAnswer {
  const isPage = typeOf(reply) === 'text/html' && reply.headers['x-frame-options'] === 'DENY';
  const isJson = typeOf(reply) === 'application/json';
  return {
    method: question.method,
    path: operation.path,
    status: reply.status,
    body: isJson ? reply.body : undefined,
    isHead: false,
    isPage,
  };
}

export function mcpFaultOf(question: Question, reply: Reply): string | null {
  const { status, body } = reply;
  if (status >= 500) return `a ${status}`;
  if (question.method === 'HEAD') return null;
  const { jsonrpc, id, result, error, detail } = Object(body) as Record<string, unknown>;
  const isOfMetrics = typeof detail === 'string';
  if (status >= 400 && jsonrpc === undefined) return isOfMetrics ? null : faultOf(reply);
  if (status === 202) return body === '' ? null : 'a body of a notification';
  if (jsonrpc !== '2.0') return 'no JSON-RPC response';
  if ((result === undefined) === (error === undefined)) return 'neither a result nor an error';
  const asked = idOf(question);
  if (asked !== undefined && id !== asked && id !== null) return 'another id';
  if (error !== undefined) {
    const { code, message } = Object(error);
    if (!Number.isInteger(code) || typeof message !== 'string') return 'a malformed error';
    return code === -32_603 ? `an internal error: ${message}` : null;
  }
  const { isError, content } = result as { isError?: boolean; content?: { text: string }[] };
  const text = content?.[0]?.text ?? '';
  if (isError && /^(?:internal_error|unavailable)\b/.test(text)) return text;
  return isError && !/^[a-z_]+: \S/.test(text) ? 'a refusal without a code' : null;
}

function idOf({ body }: Question): unknown {
  try {
    return Object(JSON.parse(String(body))).id;
  } catch {
    return undefined;
  }
}

const MOST = 2_000;

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

export function asCurl(url: string, { method, path, headers = {}, body }: Question): string {
  const given = Object.entries(headers).filter(([, value]) => value !== undefined);
  const lines = given.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`);
  const text = body instanceof Uint8Array ? Buffer.from(body).toString('latin1') : String(body);
  const cut = text.length > MOST ? `${text.slice(0, MOST)}… (${text.length} characters)` : text;
  if (body !== undefined) lines.push(`--data-raw ${quoted(cut)}`);
  return ['curl', '-X', method, quoted(url + path.slice(0, MOST)), ...lines].join(' ');
}

import {
  AddressRefusedError,
  type ConnectRules,
  createGuardedConnector,
} from '@switchyard/runner/network/guarded-connector';
import type { Finding } from '@switchyard/types';
import { type PlainHttpRules, refusePlainHttp } from './plain-http';

const TIMEOUT_MS = 5_000;

function connect(url: URL, rules: ConnectRules, signal: AbortSignal): Promise<void> {
  const { protocol, hostname } = url;
  const host = hostname.replace(/^\[|\]$/g, '');
  const port = url.port || (protocol === 'https:' ? '443' : '80');
  return new Promise((resolve, reject) => {
    const target = { hostname: host, host, protocol, port };
    createGuardedConnector(rules, signal)(target, (error, socket) => {
      if (error) return reject(error);
      socket?.destroy();
      resolve();
    });
  });
}

export async function checkAddress(
  text: string,
  rules: ConnectRules & PlainHttpRules,
  signal: AbortSignal,
): Promise<Finding> {
  const url = new URL(text);
  const details = { host: url.host };
  const plain = refusePlainHttp(text, rules);
  if (plain !== null) return { level: 'error', code: 'address_refused', message: plain, details };
  const late = AbortSignal.timeout(TIMEOUT_MS);
  const connecting = connect(url, rules, AbortSignal.any([signal, late]));
  const ended = new Promise<never>((_, reject) => {
    const end = () => reject(Object.assign(new Error('too late'), { code: 'ETIMEDOUT' }));
    AbortSignal.any([signal, late]).addEventListener('abort', end, { once: true });
  });
  try {
    await Promise.race([connecting, ended]);
    const message = `${url.host} accepts connections; no request was sent`;
    return { level: 'ok', code: 'address_reachable', message, details };
  } catch (error) {
    if (error instanceof AddressRefusedError) {
      return { level: 'error', code: 'address_refused', message: error.message, details };
    }
    const reason = String((error as { code?: unknown }).code ?? 'unknown');
    const isUnknown = reason === 'ENOTFOUND';
    const message = isUnknown
      ? `the host ${url.hostname} does not exist`
      : `${url.host}: ${reason}`;
    const code = isUnknown ? 'host_unknown' : 'address_unreachable';
    return { level: 'error', code, message, details: { ...details, reason } };
  } finally {
    connecting.catch(() => undefined);
    ended.catch(() => undefined);
  }
}

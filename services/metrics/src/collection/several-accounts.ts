import { ExchangeFailure, presentFailure } from '../exchange/failure';
import { KINDS } from '../kinds/kinds';
import type { ComponentResult, Components } from './collect-contract';
import type { Gathered } from './gather';

export function refusedAccount(target: string, problem: string): Gathered {
  const failures = [presentFailure(new ExchangeFailure('permission', target, problem))];
  const result = { status: 'failed' as const, data_points: 0, duration_ms: 0, failures };
  const components = Object.fromEntries(KINDS.map(({ component }) => [component, result]));
  return { seen: new Map(), candles: [], components };
}

export function joinComponents(parts: readonly (readonly [string, Components])[]): Components {
  const names = Object.keys(parts[0]?.[1] ?? {});
  return Object.fromEntries(names.map((name) => [name, joined(name, parts)]));
}

function joined(name: string, parts: readonly (readonly [string, Components])[]): ComponentResult {
  const own = parts.flatMap(([account, components]) => {
    const result = components[name];
    return result ? [{ account, ...result }] : [];
  });
  const all = (status: ComponentResult['status']) => own.every((one) => one.status === status);
  const isWhole = own.every(({ status }) => status === 'ok' || status === 'skipped');
  const worst = isWhole ? 'ok' : 'partial';
  const ignored = own.flatMap(({ account, ignored: assets = [] }) =>
    assets.map((asset) => `${account}: ${asset}`),
  );
  return {
    status: all('failed') ? 'failed' : all('skipped') ? 'skipped' : worst,
    data_points: own.reduce((sum, one) => sum + one.data_points, 0),
    duration_ms: Math.max(0, ...own.map((one) => one.duration_ms)),
    failures: own.flatMap(({ account, failures }) =>
      failures.map((failure) => ({ ...failure, target: `${account}: ${failure.target}` })),
    ),
    ...(ignored.length > 0 && { ignored }),
  };
}

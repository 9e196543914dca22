import type { InboxAction, InboxItemView } from '@switchyard/types';
import type supertest from 'supertest';
import { allRoutes } from '../src/http/routes';
import type { Harness } from './harness';
import { walkPages } from './walk-pages';

type Caller = Harness['api'];

export const inboxOf = (api: Caller, companyId: string, query = ''): Promise<InboxItemView[]> =>
  walkPages({ api }, `/api/companies/${companyId}/inbox${query}`, 500);

export function take(
  api: Caller,
  { method, path, body, fields = [] }: InboxAction,
  fill: Record<string, unknown> = {},
): supertest.Test {
  const filled = fields
    .map(({ name, type, minimum }) => [name, fill[name] ?? minimum ?? fill[type]])
    .filter(([, value]) => value !== undefined);
  const verb = method.toLowerCase() as 'post' | 'patch' | 'delete';
  const call = api[verb](path);
  if (method === 'DELETE' || (body === undefined && fields.length === 0)) return call;
  return call.send({ ...body, ...Object.fromEntries(filled) });
}

export function isRoute({ method, path }: InboxAction): boolean {
  return allRoutes.some(
    (route) =>
      route.method === method && new RegExp(`^${route.path.replace(/:\w+/g, '[^/]+')}$`).test(path),
  );
}

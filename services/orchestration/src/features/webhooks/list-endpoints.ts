import type { EndpointView, ListEndpointsQuery } from '@switchyard/types';
import { type Call, inTransaction } from '../../kernel/call';
import { newestFirstList } from '../../lists/newest-first';
import { ENDPOINT, lockEndpoint, presentEndpoint } from './endpoint';

export const listEndpoints = ({ db, companyId }: Call, query: ListEndpointsQuery) =>
  readEndpoints(db, { ...query, companyId });

const readEndpoints = newestFirstList(
  'list-endpoints',
  { table: 'endpoint', gives: ENDPOINT },
  (row) => row as EndpointView,
);

export const getEndpoint = (call: Call, endpointId: string): Promise<EndpointView> =>
  inTransaction(call, async (tx) => presentEndpoint(await lockEndpoint(tx, endpointId)));

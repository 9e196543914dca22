import { findAccount } from '../accounts/find-account';
import {
  analyzeRegime,
  analyzeRequest,
  analyzeResponse,
} from '../kinds/regime/requests/analyze-regime';
import {
  currentRegime,
  regimeQuery,
  regimeResponse,
} from '../kinds/regime/requests/current-regime';
import { route } from './route';

export const regimeRoutes = [
  route({
    method: 'GET',
    path: '/regime/current',
    operation: 'getCurrentRegimes',
    summary: 'The last known regime of each symbol',
    access: 'token',
    query: regimeQuery,
    response: regimeResponse,
    errors: ['not_found'],
    handle: ({ context, query }) => currentRegime(context, query),
  }),
  route({
    method: 'POST',
    path: '/regime/analyze',
    operation: 'analyzeRegime',
    summary: 'Analyse the regime now',
    access: 'token',
    status: 200,
    body: analyzeRequest,
    response: analyzeResponse,
    handle: ({ context, body }) => analyzeRegime(findAccount(context, body.account, 'body'), body),
  }),
];

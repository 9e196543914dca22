import type { Context } from '../context';
import { endpoint } from '../http/endpoint';
import { analyzeRegime, analyzeRequest, analyzeResponse } from '../regime/analyze-regime';
import { currentRegime, regimeQuery, regimeResponse } from '../regime/current-regime';

export const regimeEndpoints = (context: Context) => [
  endpoint({
    method: 'GET',
    path: '/regime/current',
    operation: 'getCurrentRegimes',
    summary: 'The last known regime of each symbol',
    query: regimeQuery,
    answers: { 200: regimeResponse },
    refuses: [404],
    handle: async ({ query }) => ({ status: 200, body: await currentRegime(context, query) }),
  }),
  endpoint({
    method: 'POST',
    path: '/regime/analyze',
    operation: 'analyzeRegime',
    summary: 'Analyse the regime now',
    body: analyzeRequest,
    bodyOptional: true,
    answers: { 200: analyzeResponse },
    handle: async ({ body }) => ({ status: 200, body: await analyzeRegime(context, body) }),
  }),
];

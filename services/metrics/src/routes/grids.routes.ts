import { findAccount } from '../accounts/find-account';
import { portfolioQuery, portfolioResponse, showPortfolio } from '../accounts/show-portfolio';
import { fillsQuery, fillsResponse, listFills } from '../fills/list-fills';
import {
  fundingPaymentsQuery,
  fundingPaymentsResponse,
  listFundingPayments,
} from '../funding-payments/list-funding-payments';
import { createGrid } from '../kinds/grid/requests/create-grid';
import { findGrid } from '../kinds/grid/requests/find-grid';
import {
  gridCreated,
  gridRequest,
  gridStopped,
  rebaseRequest,
} from '../kinds/grid/requests/grid-request';
import { gridsQuery, gridsResponse, listGrids } from '../kinds/grid/requests/list-grids';
import { gridRebased, rebaseGrid } from '../kinds/grid/requests/rebase-grid';
import { gridRebuilt, rebuildGrid, rebuildRequest } from '../kinds/grid/requests/rebuild-grid';
import { stopGrid } from '../kinds/grid/requests/stop-grid';
import { listOrders, ordersQuery, ordersResponse } from '../orders/list-orders';
import { listProfit, profitQuery, profitResponse } from '../profit/list-profit';
import {
  performanceQuery,
  performanceResponse,
  showPerformance,
} from '../profit/performance/show-performance';
import {
  acceptBalances,
  acceptRequest,
  listReconciliation,
  reconciliationQuery,
  reconciliationResponse,
} from '../reconciliation/list-reconciliation';
import { riskQuery, riskResponse, showRisk } from '../risk/show-risk';
import { route } from './route';

export const gridRoutes = [
  route({
    method: 'GET',
    path: '/grids/status',
    operation: 'listGrids',
    summary: 'Every grid with its last snapshot',
    access: 'token',
    query: gridsQuery,
    response: gridsResponse,
    handle: ({ context, query }) => listGrids(context, query),
  }),
  route({
    method: 'POST',
    path: '/grids/create',
    operation: 'createGrid',
    summary: 'Store a grid; its orders are placed on the simulated exchange only',
    access: 'token',
    body: gridRequest,
    response: gridCreated,
    errors: ['conflict', 'unavailable'],
    handle: ({ context, body }) => createGrid(findAccount(context, body.account, 'body'), body),
  }),
  route({
    method: 'POST',
    path: '/grids/:grid_id/stop',
    operation: 'stopGrid',
    summary: 'Stop watching a grid; orders are cancelled on the simulated exchange only',
    access: 'token',
    status: 200,
    response: gridStopped,
    errors: ['not_found'],
    handle: async ({ context, params }) => stopGrid(...(await findGrid(context, params.grid_id))),
  }),
  route({
    method: 'POST',
    path: '/grids/:grid_id/rebase',
    operation: 'rebaseGrid',
    summary: 'Restart the books of a watched grid with the amount held now',
    access: 'token',
    status: 200,
    body: rebaseRequest,
    response: gridRebased,
    errors: ['not_found', 'conflict'],
    handle: async ({ context, params, body }) =>
      rebaseGrid(...(await findGrid(context, params.grid_id)), body),
  }),
  route({
    method: 'POST',
    path: '/grids/:grid_id/rebuild',
    operation: 'rebuildGrid',
    summary: 'Recompute the books of a grid from its stored fills',
    access: 'token',
    status: 200,
    body: rebuildRequest,
    response: gridRebuilt,
    errors: ['not_found'],
    handle: async ({ context, params }) =>
      rebuildGrid(...(await findGrid(context, params.grid_id))),
  }),
  route({
    method: 'GET',
    path: '/fills',
    operation: 'listFills',
    summary: 'Fills in the books of grids',
    access: 'token',
    query: fillsQuery,
    response: fillsResponse,
    handle: ({ context, query }) => listFills(context, query),
  }),
  route({
    method: 'GET',
    path: '/funding-payments',
    operation: 'listFundingPayments',
    summary: 'Funding paid and received for perpetual positions',
    access: 'token',
    query: fundingPaymentsQuery,
    response: fundingPaymentsResponse,
    handle: ({ context, query }) => listFundingPayments(context, query),
  }),
  route({
    method: 'GET',
    path: '/profit',
    operation: 'listProfit',
    summary: 'Profit of each grid and its parts by day, week or month',
    access: 'token',
    query: profitQuery,
    response: profitResponse,
    handle: ({ context, query }) => listProfit(context, query),
  }),
  route({
    method: 'GET',
    path: '/performance',
    operation: 'showPerformance',
    summary: 'Daily returns excluding deposits and withdrawals, compared with holding the coins',
    access: 'token',
    query: performanceQuery,
    response: performanceResponse,
    handle: ({ context, query }) =>
      showPerformance(findAccount(context, query.account, 'query'), query),
  }),
  route({
    method: 'GET',
    path: '/orders',
    operation: 'listOrders',
    summary: 'Current open orders of a symbol, or of the symbols of active grids',
    access: 'token',
    query: ordersQuery,
    response: ordersResponse,
    errors: ['conflict', 'not_found', 'unavailable'],
    handle: ({ context, query }) => listOrders(findAccount(context, query.account, 'query'), query),
  }),
  route({
    method: 'GET',
    path: '/risk',
    operation: 'showRisk',
    summary: 'Exposure of the account, inventory bias of each grid, and the drawdown of equity',
    access: 'token',
    query: riskQuery,
    response: riskResponse,
    errors: ['not_found'],
    handle: ({ context, query }) => showRisk(findAccount(context, query.account, 'query'), query),
  }),
  route({
    method: 'GET',
    path: '/portfolio',
    operation: 'showPortfolio',
    summary: 'Equity, net exposure by coin, drawdown and profit of all accounts together',
    access: 'token',
    query: portfolioQuery,
    response: portfolioResponse,
    handle: ({ context, query }) => showPortfolio(context, query),
  }),
  route({
    method: 'GET',
    path: '/reconciliation',
    operation: 'listReconciliation',
    summary: 'Opening balance, fills, transfers and fees of each asset against its balance',
    access: 'token',
    query: reconciliationQuery,
    response: reconciliationResponse,
    handle: ({ context, query }) =>
      listReconciliation(findAccount(context, query.account, 'query')),
  }),
  route({
    method: 'POST',
    path: '/reconciliation/accept',
    operation: 'acceptBalances',
    summary: 'Accept the current balances as the opening balances of the next collection',
    access: 'token',
    status: 200,
    body: acceptRequest,
    response: reconciliationResponse,
    handle: ({ context, body }) => acceptBalances(findAccount(context, body.account, 'body'), body),
  }),
];

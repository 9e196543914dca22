import { type MetricsPrisma, type MetricsReader, newId, uniqueViolation } from '@switchyard/db';
import { ApiError } from '@switchyard/server';
import type { z } from 'zod';
import { COLLECTED_TIMEFRAME } from '../../../candles/timeframe';
import { decimalText } from '../../../decimal';
import type { Market, OpenOrder } from '../../../exchange/port';
import { exchangeProblem } from '../../../exchange/problem';
import { refuseField } from '../../../http/invalid-request';
import type { Resources } from '../../../resources';
import { openLedger } from '../books/ledger';
import { nearestLevel } from '../levels';
import { presentGrid } from '../present-grid';
import type { GridRow } from '../read-grids';
import { askExchange, markOf } from './ask-exchange';
import type { GridRequest, gridCreated } from './grid-request';
import { openingOf } from './opening';
import { type GridPlan, planGrid } from './plan-grid';

/**
 * POST /grids/create: stores a grid. Places orders only on the simulated exchange, because the API
 * has no authentication by default.
 * @throws InvalidRequest for an unworkable grid, an unknown symbol, or a name in use
 */
export async function createGrid(
  resources: Resources,
  request: GridRequest,
): Promise<z.output<typeof gridCreated>> {
  const { clock, config, db, exchange } = resources;
  const problem = exchangeProblem(resources);
  if (problem !== null) throw new ApiError('internal_error', `configuration: ${problem}`);
  const mode = exchange.placeGrid ? 'simulated' : 'external';
  if (request.mode && request.mode !== mode) {
    throw refuseField('mode', `must be ${mode}, the mode of this service`, request.mode);
  }
  const signal = AbortSignal.timeout(config.callTimeoutMs);
  const { symbol } = request;
  const market = (
    await askExchange('symbol', symbol, () => exchange.markets([symbol], signal))
  ).get(symbol);
  if (!market) throw refuseField('symbol', 'the exchange does not list this symbol', symbol);
  const plan = planGrid(request, market);
  const taken = { name: request.name, status: { not: 'stopped' } };
  if (await db.client.grid.findFirst({ where: taken })) {
    throw refuseField('name', 'must be unique: an active grid already has this name', request.name);
  }
  const { warnings, mark } = await warningsFor(resources, market, plan);
  const opening = openingOf(request, plan, mode, mark);
  const gridId = newId();
  const prefix = request.client_order_prefix ?? `g${gridId.replaceAll('-', '').slice(-10)}`;
  const levels = plan.levels.map(decimalText);
  const placement = {
    gridId,
    symbol: market.symbol,
    prefix,
    levels,
    amount: decimalText(plan.orderAmount),
    feeRate: decimalText(plan.feeRate),
  };
  const createdAt = clock.now();
  const data = {
    gridId,
    name: request.name,
    exchange: exchange.name,
    simulated: exchange.simulated,
    symbol: market.symbol,
    mode,
    spacing: request.spacing,
    lowerPrice: decimalText(request.lower_price),
    upperPrice: decimalText(request.upper_price),
    gridCount: request.grid_count,
    orderAmount: placement.amount,
    totalQuote: request.total_quote ? decimalText(request.total_quote) : null,
    feeRate: placement.feeRate,
    tickSize: market.tickAt(request.lower_price),
    clientOrderPrefix: prefix,
    levels,
    status: 'active',
    createdAt,
    initialBase: decimalText(opening.base),
    initialCost: decimalText(opening.cost),
    ledger: { ...openLedger(opening.base, opening.cost) },
    tradesWatermark: new Date(exchange.time()),
  };
  const row = await insert(resources, request, data);
  try {
    await askExchange('total_quote', null, async () => exchange.placeGrid?.(placement));
  } catch (error) {
    await db.client.grid.delete({ where: { gridId } });
    throw error;
  }
  const placed = exchange.placeGrid ? await exchange.openOrders(market.symbol, signal) : [];
  const free = mark ? nearestLevel(plan.levels, mark) : null;
  const shown = levels.map((price, index) => presentLevel(index, price, free, prefix, placed));
  return { ...presentGrid(row), warnings, levels: shown };
}

async function warningsFor(resources: Resources, market: Market, plan: GridPlan) {
  const warnings: string[] = [];
  const mark = await markOf(resources, market.symbol);
  const [lowest, highest] = [plan.levels[0], plan.levels.at(-1)];
  if (mark && lowest && highest && (mark.lt(lowest) || mark.gt(highest))) {
    warnings.push(`the price ${decimalText(mark)} is outside the grid`);
  }
  const regime = await resources.db.client.regimeSnapshot.findFirst({
    where: {
      symbol: market.symbol,
      exchange: resources.exchange.name,
      timeframe: COLLECTED_TIMEFRAME,
    },
    orderBy: [{ capturedAt: 'desc' }, { id: 'desc' }],
  });
  if (regime && ['trending_up', 'trending_down', 'volatile'].includes(regime.label)) {
    warnings.push(
      `the market regime is ${regime.label}, but a grid usually earns only in a ranging market`,
    );
  }
  if (!resources.exchange.placeGrid) {
    warnings.push(
      'this service places no real orders: it watches orders whose client id starts with client_order_prefix',
    );
  }
  return { warnings, mark };
}

async function insert(
  { config, db }: Resources,
  request: GridRequest,
  data: MetricsPrisma.GridCreateInput,
): Promise<GridRow> {
  try {
    return await db.client.$transaction(async (tx) => {
      await assertRoom(tx, config.maxGrids);
      return tx.grid.create({ data });
    });
  } catch (error) {
    const taken = uniqueViolation(error);
    if (!taken) throw error;
    const field = taken.includes('prefix') ? 'client_order_prefix' : 'name';
    throw refuseField(field, `this ${field} is in use`, request[field]);
  }
}

const ROOM_LOCK = 0x67726964;

/**
 * Limits the number of grids, because every collection reads each of them.
 * @throws ApiError 409
 */
async function assertRoom(tx: MetricsReader, maxGrids: number): Promise<void> {
  await tx.$queryRaw`SELECT pg_advisory_xact_lock(${ROOM_LOCK}::bigint)::text`;
  const count = await tx.grid.count({ where: { status: { not: 'stopped' } } });
  if (count < maxGrids) return;
  const reason = `there are ${count} grids, and ${maxGrids} are allowed`;
  throw new ApiError('conflict', `${reason}: stop one with POST /grids/{grid_id}/stop`);
}

function presentLevel(
  index: number,
  price: string,
  free: number | null,
  prefix: string,
  placed: readonly OpenOrder[],
) {
  const order = placed.find(({ clientOrderId }) =>
    clientOrderId?.startsWith(`${prefix}-${index}-`),
  );
  const side = free === null || free === index ? null : index < free ? 'buy' : 'sell';
  const state = order ? 'open' : index === free ? 'idle' : 'planned';
  return {
    index,
    price,
    side: order?.side ?? side,
    state,
    order_id: order?.orderId ?? null,
  } as const;
}

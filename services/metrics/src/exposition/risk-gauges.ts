import { ApiError } from '@switchyard/server';
import type { Registry } from 'prom-client';
import { createGauge, type OfAccount } from '../create-gauge';
import { listReconciliation } from '../reconciliation/list-reconciliation';
import type { Resources } from '../resources';
import { showRisk } from '../risk/show-risk';

const DAYS = 30;

export function createRiskGauges(registry: Registry) {
  const drawdown = createGauge(
    registry,
    'drawdown_ratio',
    'Fall of equity below its 30-day peak, excluding deposits and withdrawals; 0.1 is ten percent.',
  );
  const exposure = createGauge(
    registry,
    'exposure_ratio',
    'Share of equity in coins and positions.',
  );
  const margin = createGauge(
    registry,
    'margin_ratio',
    'Maintenance margin of cross-margin positions as a share of their collateral; liquidation starts at 1.',
  );
  const skew = createGauge(
    registry,
    'grid_skew_ratio',
    'From -1 (the grid only has open buy orders) to 1 (it only holds coins).',
    ['grid_id'],
  );
  const unexplained = createGauge(
    registry,
    'unexplained_balance',
    'Amount of an asset that opening balance, fills and transfers do not explain.',
    ['asset'],
  );
  return {
    all: [drawdown, exposure, margin, skew, unexplained],
    read: async (resources: Resources, of: OfAccount): Promise<() => void> => {
      const risk = await riskOf(resources);
      const { items } = await listReconciliation(resources);
      return () => {
        for (const { asset, transfers_known, ...item } of items) {
          if (transfers_known) unexplained.set({ ...of, asset }, Number(item.unexplained));
        }
        if (risk === null) return;
        if (risk.drawdown.current !== null) drawdown.set(of, risk.drawdown.current);
        if (risk.exposure !== null) exposure.set(of, risk.exposure);
        if (risk.margin_ratio !== null) margin.set(of, risk.margin_ratio);
        for (const grid of risk.grids) {
          if (grid.skew !== null) skew.set({ ...of, grid_id: grid.grid_id }, grid.skew);
        }
      };
    },
  };
}

async function riskOf(resources: Resources) {
  try {
    return await showRisk(resources, { days: DAYS });
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return null;
    throw error;
  }
}

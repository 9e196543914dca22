import { ApiError } from '@switchyard/server';
import type { Registry } from 'prom-client';
import { createGauge, type OfAccount } from '../create-gauge';
import type { Resources } from '../resources';
import { showRisk } from '../risk/show-risk';

const DAYS = 30;

export function createRiskGauges(registry: Registry) {
  const drawdown = createGauge(
    registry,
    'drawdown_ratio',
    'How far equity is below its peak of 30 days, without deposits and withdrawals; 0.1 is ten percent.',
  );
  const exposure = createGauge(
    registry,
    'exposure_ratio',
    'Share of equity that is in coins and positions.',
  );
  const skew = createGauge(
    registry,
    'grid_skew_ratio',
    'From -1, when all money of a grid waits in buy orders, to 1, when all of it is in coins.',
    ['grid_id'],
  );
  return {
    all: [drawdown, exposure, skew],
    read: async (resources: Resources, of: OfAccount): Promise<() => void> => {
      const risk = await riskOf(resources);
      return () => {
        if (risk === null) return;
        if (risk.drawdown.current !== null) drawdown.set(of, risk.drawdown.current);
        if (risk.exposure !== null) exposure.set(of, risk.exposure);
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

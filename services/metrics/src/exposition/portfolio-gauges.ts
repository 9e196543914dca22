import type { Registry } from 'prom-client';
import { showPortfolio } from '../accounts/show-portfolio';
import { createGauge } from '../create-gauge';
import type { Resources } from '../resources';

const DAYS = 30;

/**
 * Gauges over all accounts. They are absent with a single account, and while the total is unknown
 * or stale.
 */
export function createPortfolioGauges(resources: Resources, accounts: readonly Resources[]) {
  const { registry } = resources;
  const equity = createTotal(registry, 'equity_quote', 'Total equity of all accounts.', [
    'quote',
    'simulated',
  ]);
  const exposure = createTotal(
    registry,
    'exposure_quote',
    'Value of a coin over all accounts, including positions; negative when short.',
    ['asset'],
  );
  const drawdown = createTotal(
    registry,
    'drawdown_ratio',
    'Fall of the equity of all accounts below its 30-day peak, excluding deposits and withdrawals.',
  );
  return {
    all: [equity, exposure, drawdown],
    read: async (): Promise<() => void> => {
      if (accounts.length === 1) return () => undefined;
      const total = await showPortfolio({ ...resources, accounts }, { days: DAYS });
      return () => {
        const { quote, simulated } = total;
        if (total.equity === null || total.stale) return;
        equity.set({ quote, simulated: String(simulated) }, Number(total.equity));
        for (const { asset, value } of total.exposure ?? []) {
          if (value !== null) exposure.set({ asset }, Number(value));
        }
        const { current, flow_adjusted } = total.drawdown;
        if (current !== null && flow_adjusted) drawdown.set(current);
      };
    },
  };
}

const createTotal = <Label extends string>(
  registry: Registry,
  name: string,
  help: string,
  labels: readonly Label[] = [],
) => createGauge(registry, `portfolio_${name}`, help, labels);

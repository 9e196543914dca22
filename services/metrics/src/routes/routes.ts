import { collectRoutes } from './collect.routes';
import { dashboardRoutes } from './dashboard.routes';
import { expositionRoutes } from './exposition.routes';
import { gridRoutes } from './grids.routes';
import { healthRoutes } from './health.routes';
import { historyRoutes } from './history.routes';
import { regimeRoutes } from './regime.routes';
import type { MetricsRoute } from './route';

export const ROUTES: readonly MetricsRoute[] = [
  ...healthRoutes,
  ...collectRoutes,
  ...historyRoutes,
  ...regimeRoutes,
  ...gridRoutes,
  ...dashboardRoutes,
  ...expositionRoutes,
];

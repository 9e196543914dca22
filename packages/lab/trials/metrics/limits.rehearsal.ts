import { collectWithinLimits } from '@switchyard/metrics/test/month/collect-within-limits';

collectWithinLimits(24);

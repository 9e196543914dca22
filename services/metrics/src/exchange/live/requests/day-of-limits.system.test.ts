import { collectWithinLimits } from '../../../../test/month/collect-within-limits';

collectWithinLimits(6);

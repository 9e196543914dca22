import { tradeFor } from '@switchyard/metrics/test/month/trade-for';

tradeFor(30);

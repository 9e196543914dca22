import { tradeFor } from '@switchyard/metrics/test/month/trade-for';

jest.setTimeout(3_600_000);

tradeFor(30);

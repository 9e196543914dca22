import { tradeFor } from './trade-for';

jest.setTimeout(3_600_000);

tradeFor(30);

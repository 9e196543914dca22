import { tradeFor } from './trade-for';

jest.setTimeout(1_200_000);

// The whole month is the rehearsal beside it.
tradeFor(3);

import { tradeFor } from './trade-for';

// The whole month is the rehearsal beside it.
tradeFor(3);

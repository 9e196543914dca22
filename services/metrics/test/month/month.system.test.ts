import { tradeFor } from './trade-for';

tradeFor(3);

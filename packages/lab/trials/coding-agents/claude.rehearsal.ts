import { rehearse } from './rehearse';
import { CLAUDE } from './tools';

describe('claude, the real command line', () => rehearse(CLAUDE));

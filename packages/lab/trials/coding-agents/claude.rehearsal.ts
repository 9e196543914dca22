import { rehearse } from './rehearse';
import { CLAUDE } from './tools';

describe('the real claude command', () => rehearse(CLAUDE));

import { rehearse } from './rehearse';
import { OPENCODE } from './tools';

describe('opencode, the real command line', () => rehearse(OPENCODE));

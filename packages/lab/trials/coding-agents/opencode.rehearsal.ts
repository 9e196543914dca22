import { rehearse } from './rehearse';
import { OPENCODE } from './tools';

describe('the real opencode command', () => rehearse(OPENCODE));

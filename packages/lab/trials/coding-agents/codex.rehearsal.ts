import { rehearse } from './rehearse';
import { CODEX } from './tools';

describe('codex, the real command line', () => rehearse(CODEX));

import { rehearse } from './rehearse';
import { CODEX } from './tools';

describe('the real codex command', () => rehearse(CODEX));

import { BALANCE } from './balance/balance';
import { FUNDING } from './funding/funding';
import { GRID } from './grid/grid';
import type { Kind } from './kind';
import { MARKET } from './market/market';
import { POSITION } from './position/position';
import { REGIME } from './regime/regime';
import { TRANSFER } from './transfer/transfer';

export const KINDS: readonly Kind[] = [BALANCE, TRANSFER, MARKET, GRID, REGIME, FUNDING, POSITION];

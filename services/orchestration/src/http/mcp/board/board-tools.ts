import { toolSet } from '@switchyard/mcp';
import type { Caller } from '../caller';
import { find } from '../shared-tools';
import { needsMe, runs } from './board-reads';
import { assign, budget, create, fire, pauseResume } from './board-writes';
import { decide } from './decide';

const TOOLS = [needsMe, decide, create, assign, pauseResume, budget, runs, fire, find];

export const BOARD_TOOLS = toolSet<Caller>(TOOLS);

export const BOARD_READS = toolSet<Caller>(TOOLS.filter(({ reads }) => reads));

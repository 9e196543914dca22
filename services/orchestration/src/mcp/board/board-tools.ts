import { toolSet } from '@switchyard/mcp';
import type { Caller } from '../caller';
import { find } from '../shared-tools';
import { needsMe, runs } from './board-reads';
import { assign, budget, create, fire, pauseResume } from './board-writes';
import { decide } from './decide';

const TOOLS = [needsMe, decide, create, assign, pauseResume, budget, runs, fire, find];

/** The tools of a person who directs a company from an assistant. */
export const BOARD_TOOLS = toolSet<Caller>(TOOLS);

/** The part for a personal token whose scope is to read. */
export const BOARD_READS = toolSet<Caller>(TOOLS.filter(({ reads }) => reads));

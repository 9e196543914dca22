import { toolSet } from '@switchyard/mcp';
import type { AgentActor } from '../../../kernel/actor';
import type { Caller } from '../caller';
import { findInOwn } from '../shared-tools';
import { myWork, read } from './agent-reads';
import { askBoard, claim, comment, createIssue, handIn, reportCost } from './agent-writes';

export const AGENT_TOOLS = toolSet<Caller<AgentActor>>([
  myWork,
  claim,
  read,
  comment,
  handIn,
  askBoard,
  reportCost,
  createIssue,
  findInOwn,
]);

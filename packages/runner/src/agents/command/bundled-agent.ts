import { resolve } from 'node:path';
import type { ProcessConfig } from './process-config';

/**
 * Command of the demo company's agents. It is allowed in every mode, because the configuration
 * cannot pass arguments to it.
 */
export const DEMO_AGENT = 'switchyard-demo-agent';

const PROGRAM = resolve(__dirname, '../../../assets/demo-agent.mjs');

export const isBundled = ({ command }: Pick<ProcessConfig, 'command'>): boolean =>
  command === DEMO_AGENT;

export function programOf({
  command,
  args,
}: Pick<ProcessConfig, 'command' | 'args'>): Pick<ProcessConfig, 'command' | 'args'> {
  return command === DEMO_AGENT
    ? { command: process.execPath, args: [PROGRAM] }
    : { command, args };
}

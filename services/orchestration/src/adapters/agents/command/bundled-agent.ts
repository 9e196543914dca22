import { resolve } from 'node:path';
import type { ProcessConfig } from './process-config';

/**
 * The command of the demo company's agents. Its program comes with the product and takes no arguments from the
 * configuration, so it may run in every mode, wherever a worker runs.
 */
export const DEMO_AGENT = 'switchyard-demo-agent';

const PROGRAM = resolve(__dirname, '../../../../assets/demo-agent.mjs');

export const isBundled = ({ command }: Pick<ProcessConfig, 'command'>): boolean =>
  command === DEMO_AGENT;

/** What is really started: the program that a bundled name stands for, else the command as it is given. */
export function programOf({
  command,
  args,
}: Pick<ProcessConfig, 'command' | 'args'>): Pick<ProcessConfig, 'command' | 'args'> {
  return command === DEMO_AGENT
    ? { command: process.execPath, args: [PROGRAM] }
    : { command, args };
}

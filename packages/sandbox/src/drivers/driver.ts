import type { ProcessPlan } from '../children/spawn-process';
import type { Driver, SandboxCommand, SandboxNetwork, SandboxPolicy } from '../sandbox';

/** A command whose file has been found, and whose policy has been put in order. */
export interface Located extends SandboxCommand {
  file: string;
}

interface Prepared {
  plan: ProcessPlan;
  /** Called when the process is made, or could not be. */
  started?(): Promise<void>;
  /** Asked again and again while it runs: why it must end, or null. */
  exceeds?(): Promise<string | null>;
  /** What is to be taken away when nothing is left of it. */
  release(): Promise<void>;
}

/** How one kind of confinement starts a command. */
export interface SandboxDriver {
  readonly name: Driver;
  readonly entry: string | null;
  /** The child is `switchyard-sandbox-entry`, or the command itself. */
  readonly isSupervised: boolean;
  /** A network namespace of its own. */
  readonly hasOwnNetwork: boolean;
  readonly isHeldByKernel: boolean;
  prepare(command: Located, policy: SandboxPolicy): Promise<Prepared>;
}

export const portOf = ({ network }: SandboxPolicy): SandboxNetwork | null =>
  typeof network === 'string' ? null : network;

export const nothing = async (): Promise<void> => {};

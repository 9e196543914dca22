import type { SpawnFailure } from '../children/sandboxed-child';
import type { ProcessPlan } from '../children/spawn-process';
import type { Driver, SandboxCommand, SandboxNetwork, SandboxPolicy } from '../sandbox';

export interface Located extends SandboxCommand {
  file: string;
  group: string | null;
}

export interface Prepared {
  plan: ProcessPlan;
  started?(): Promise<void>;
  exceeds?(): Promise<SpawnFailure | null>;
  release(): Promise<void>;
}

export interface SandboxDriver {
  readonly name: Driver;
  readonly entry: string | null;
  readonly isSupervised: boolean;
  readonly hasOwnNetwork: boolean;
  readonly isHeldByKernel: boolean;
  prepare(command: Located, policy: SandboxPolicy): Promise<Prepared>;
}

export const portOf = ({ network }: SandboxPolicy): SandboxNetwork | null =>
  typeof network === 'string' ? null : network;

export const nothing = async (): Promise<void> => {};

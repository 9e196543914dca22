import { openSandbox, type Sandbox, type SandboxPolicy } from '@switchyard/sandbox';
import {
  type AgentFolders,
  agentPolicy,
  type ConfinedCommand,
  programFolders,
  type TrustedPlaces,
} from './agent-policy';
import type { ConfinementSettings } from './sandbox-settings';

export interface Confinement {
  sandbox: Sandbox;
  policy: SandboxPolicy;
}

export interface ToolFolders {
  readOnly?: readonly string[];
  readWrite: readonly string[];
  network?: SandboxPolicy['network'];
}

/** Each method rejects with SandboxUnavailable if no sandbox works on this host. */
export interface Confinements {
  forAgent(command: ConfinedCommand, own: AgentFolders): Promise<Confinement>;
  forTool(command: ConfinedCommand, folders: ToolFolders): Promise<Confinement>;
  sandbox(): Promise<Sandbox>;
}

export function createConfinements(
  settings: ConfinementSettings,
  trusted: TrustedPlaces | null,
): Confinements {
  let opened: Promise<Sandbox> | null = null;
  const sandbox = (): Promise<Sandbox> => {
    opened ??= openSandbox(settings.open).catch((error) => {
      opened = null;
      throw error;
    });
    return opened;
  };
  const { readOnly, limits } = settings;
  return {
    sandbox,
    async forAgent(command, own) {
      const policy = agentPolicy({ command, own, readOnly, trusted });
      return {
        sandbox: await sandbox(),
        policy: { ...policy, network: own.network ?? 'none', limits },
      };
    },
    async forTool(command, folders) {
      // Grants no access to files that the arguments name, because the server chose the arguments.
      const programs = programFolders({ ...command, args: [] }, folders.readWrite, trusted);
      const policy = {
        readOnly: [...new Set([...readOnly, ...programs, ...(folders.readOnly ?? [])])],
        readWrite: folders.readWrite,
        home: null,
        network: folders.network ?? ('none' as const),
        limits,
      };
      return { sandbox: await sandbox(), policy };
    },
  };
}

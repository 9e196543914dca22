import { openSandbox, type Sandbox, type SandboxPolicy } from '@switchyard/sandbox';
import {
  type AgentFolders,
  agentPolicy,
  type ConfinedCommand,
  programFolders,
  type TrustedPlaces,
} from './agent-policy';
import type { ConfinementSettings } from './sandbox-settings';

/** What keeps one child to what it may reach. */
export interface Confinement {
  sandbox: Sandbox;
  policy: SandboxPolicy;
}

export interface ToolFolders {
  readOnly?: readonly string[];
  readWrite: readonly string[];
  /** Without it there is none. */
  network?: SandboxPolicy['network'];
}

/** Of one process, made once. Each rejects with SandboxUnavailable when no sandbox can be made on this host. */
export interface Confinements {
  /** For an agent, and for the programs of its configuration. */
  forAgent(command: ConfinedCommand, own: AgentFolders): Promise<Confinement>;
  /** For a program of ours or of the operator's, which gets these folders and nothing of a user's. */
  forTool(command: ConfinedCommand, folders: ToolFolders): Promise<Confinement>;
  /** Opened with the first use, or by this. */
  sandbox(): Promise<Sandbox>;
}

export function createConfinements(
  settings: ConfinementSettings,
  trusted: TrustedPlaces | null,
): Confinements {
  let opened: Promise<Sandbox> | null = null;
  const sandbox = (): Promise<Sandbox> => {
    opened ??= openSandbox(settings.open).catch((error) => {
      // What is missing may be installed while this process runs.
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
      // Its arguments are ours: files that they name are among the folders, or are not to be had.
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

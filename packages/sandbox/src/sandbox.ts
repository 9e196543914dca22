import type { Socket } from 'node:net';
import type { SandboxedChild } from './children/sandboxed-child';

export const DRIVERS = ['bwrap', 'landlock', 'seatbelt', 'off'] as const;

export type Driver = (typeof DRIVERS)[number];

export interface SandboxSettings {
  wanted: 'auto' | Driver;
  mayBeOff: boolean;
  path?: string;
  /** A private folder for a copy of the system's public settings; may be deleted at any time. */
  cacheFolder?: string;
  /**
   * A delegated cgroup of version 2, below which each command gets its own; absent if none is
   * configured.
   */
  controlGroup?: { folder: string; memoryBytes: number };
}

/** Absolute paths. Missing paths are skipped, except writable ones. */
export interface SandboxPolicy {
  readOnly: readonly string[];
  readWrite: readonly string[];
  /** The HOME to set if the environment has none; null sets no HOME. */
  home: string | null;
  network: 'none' | 'shared' | SandboxNetwork;
  limits: SandboxLimits;
}

export interface SandboxNetwork {
  port: number;
  accept(socket: Socket): void;
}

/** A limit of 0 leaves the system's limit unchanged. */
export interface SandboxLimits {
  /** Processes and threads together; the kernel does not apply this limit to root. */
  processes: number;
  openFiles: number;
  fileBytes: number;
  /** inotify instances; the kernel counts them per account, 128 by default. */
  watchers: number;
  /** Bytes of `/tmp`, `/dev/shm` and `/var/tmp` together (bwrap), or of TMPDIR (landlock). */
  temporaryBytes: number;
  /**
   * Bytes that the command may write to each of its folders; a command that exceeds the limit is
   * ended.
   */
  workspaceBytes: number;
}

export interface SandboxCommand {
  command: string;
  args: readonly string[];
  cwd: string;
  environment: Readonly<Record<string, string>>;
  input?: string;
}

export interface Sandbox {
  readonly driver: Driver;
  readonly why: string;
  /** Path of our entry program in the sandbox (`connect <host> <port>`); null if there is none. */
  readonly entry: string | null;
  readonly hasOwnNetwork: boolean;
  /**
   * Opens a port in the command's namespace, or on this host. Close it after the command has ended.
   */
  openNetwork(
    accept: SandboxNetwork['accept'],
  ): Promise<SandboxNetwork & { close(): Promise<void> }>;
  /**
   * Starts the command without a shell; `exited` reports whether it could be executed.
   * @throws SpawnError when the command does not exist or the host does not have the resources
   */
  spawn(command: SandboxCommand, policy: SandboxPolicy): Promise<SandboxedChild>;
}

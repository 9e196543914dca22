import type { Socket } from 'node:net';
import type { SandboxedChild } from './children/sandboxed-child';

export const DRIVERS = ['bwrap', 'landlock', 'seatbelt', 'off'] as const;

export type Driver = (typeof DRIVERS)[number];

export interface SandboxSettings {
  wanted: 'auto' | Driver;
  /** Local mode may run without a driver. */
  mayBeOff: boolean;
  path?: string;
  /** A private folder for a copy of the system's public settings; may be lost. */
  cacheFolder?: string;
  /** A delegated control group of version 2, below which each command gets one; without it none is made. */
  controlGroup?: { folder: string; memoryBytes: number };
}

/** Absolute paths; missing ones are left out, except those to write to. */
export interface SandboxPolicy {
  /** Readable in addition to the system's folders. */
  readOnly: readonly string[];
  readWrite: readonly string[];
  /** HOME if the environment has none; null adds none. */
  home: string | null;
  /** `shared` is the network of this host. */
  network: 'none' | 'shared' | SandboxNetwork;
  limits: SandboxLimits;
}

/** A port on 127.0.0.1 inside, whose connections we receive. */
export interface SandboxNetwork {
  port: number;
  accept(socket: Socket): void;
}

/** 0 leaves a limit unchanged. */
export interface SandboxLimits {
  /** Processes and threads together; the kernel does not apply it to root. */
  processes: number;
  openFiles: number;
  fileBytes: number;
  /** Instances of inotify; the kernel counts them per account, 128 by default. */
  watchers: number;
  /** Bytes of `/tmp`, `/dev/shm` and `/var/tmp` together (bwrap), or of TMPDIR (landlock). */
  temporaryBytes: number;
  /** Bytes that the command may write to each of its folders; above it the command ends. */
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
  /** Path of our program inside (`connect <host> <port>`); null without one. */
  readonly entry: string | null;
  /** Each command has its own network namespace. */
  readonly hasOwnNetwork: boolean;
  /**
   * Opens a port in the command's namespace, or on this host. Close it when the command has ended.
   */
  openNetwork(
    accept: SandboxNetwork['accept'],
  ): Promise<SandboxNetwork & { close(): Promise<void> }>;
  /**
   * Starts the command without a shell; `exited` reports whether it could be executed. @throws
   * SpawnError when the command does not exist or the host lacks resources
   */
  spawn(command: SandboxCommand, policy: SandboxPolicy): Promise<SandboxedChild>;
}

import type { Socket } from 'node:net';
import type { SandboxedChild } from './children/sandboxed-child';

export const DRIVERS = ['bwrap', 'landlock', 'seatbelt', 'off'] as const;

export type Driver = (typeof DRIVERS)[number];

export interface SandboxSettings {
  wanted: 'auto' | Driver;
  /** Local trusted mode, where a machine without a driver may still be used. */
  mayBeOff: boolean;
  /** The PATH that bubblewrap is on. */
  path?: string;
  /** A folder of ours alone, for what makes a start quicker and may be lost: a copy of the system's public settings. */
  cacheFolder?: string;
}

/** What a command may reach. Paths are absolute; one that does not exist is left out, but for those it writes to. */
export interface SandboxPolicy {
  /** Beside the system's own folders. */
  readOnly: readonly string[];
  readWrite: readonly string[];
  /** HOME where the environment names none; null adds none. */
  home: string | null;
  /** `shared` is the network of this host. */
  network: 'none' | 'shared' | SandboxNetwork;
  limits: SandboxLimits;
}

/** One way out: a port on 127.0.0.1, as the command sees it, whose connections come to us. */
export interface SandboxNetwork {
  port: number;
  accept(socket: Socket): void;
}

/** 0 leaves a limit as this process has it. */
export interface SandboxLimits {
  /** Processes and threads together; the kernel does not apply it to root. */
  processes: number;
  openFiles: number;
  fileBytes: number;
  /** Instances of inotify; the kernel counts them for the account, and has 128 by default. */
  watchers: number;
  /** `/tmp`, and `/dev/shm` and `/var/tmp` together, where they are memory (bwrap); TMPDIR, above which the command ends (landlock). */
  temporaryBytes: number;
}

export interface SandboxCommand {
  /** A path, or a name to be looked up in the PATH of the environment. */
  command: string;
  args: readonly string[];
  cwd: string;
  /** Complete. */
  environment: Readonly<Record<string, string>>;
  /** What it reads from its input; without it the input is empty. */
  input?: string;
}

export interface Sandbox {
  readonly driver: Driver;
  /** Why it is this driver, for people. */
  readonly why: string;
  /** The path under which a command inside finds our own program (`connect <host> <port>`); null where there is none. */
  readonly entry: string | null;
  /** Each command has a network namespace, in which nothing else reaches its port. */
  readonly hasOwnNetwork: boolean;
  /**
   * Where a command inside finds what `accept` gets: a port of its own in a network namespace, else a port of this host
   * that is opened now. Close it when the command has ended.
   */
  openNetwork(
    accept: SandboxNetwork['accept'],
  ): Promise<SandboxNetwork & { close(): Promise<void> }>;
  /**
   * Starts the command, without a shell. The promise resolves in the turn of the event loop in which the process was
   * made; whether it could be executed shows in `exited`.
   * @throws SpawnError when there is no such command or the host is short of something
   */
  spawn(command: SandboxCommand, policy: SandboxPolicy): Promise<SandboxedChild>;
}

export {
  type SandboxExit,
  type SandboxedChild,
  SpawnError,
} from './children/sandboxed-child';
export { isProgram, realPathOf, statOf } from './look-at-path';
export { openSandbox, SandboxUnavailable } from './open-sandbox';
export { removeTree } from './remove-tree';
export { runPs } from './run-ps';
export {
  DRIVERS,
  type Driver,
  type Sandbox,
  type SandboxCommand,
  type SandboxLimits,
  type SandboxPolicy,
  type SandboxSettings,
} from './sandbox';
export { removeLeftTemporaryFolders } from './temporary-folder';

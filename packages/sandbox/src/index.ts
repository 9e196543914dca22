export {
  type SandboxExit,
  type SandboxedChild,
  SpawnError,
} from './children/sandboxed-child';
export { removeTree } from './folders/remove-tree';
export { removeLeftTemporaryFolders } from './folders/temporary-folder';
export { isProgram, realPathOf, statOf } from './look-at-path';
export { openSandbox, SandboxUnavailable } from './open-sandbox';
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

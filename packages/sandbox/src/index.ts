export {
  type SandboxExit,
  type SandboxedChild,
  SpawnError,
  type SpawnFailure,
} from './children/sandboxed-child';
export { isProgram, realPathOf, statOf } from './look-at-path';
export { listenInHost } from './network';
export { openSandbox, SandboxUnavailable } from './open-sandbox';
export { runPs } from './run-ps';
export {
  DRIVERS,
  type Driver,
  type Sandbox,
  type SandboxCommand,
  type SandboxLimits,
  type SandboxNetwork,
  type SandboxPolicy,
  type SandboxSettings,
} from './sandbox';

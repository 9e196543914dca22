import { nothing, type SandboxDriver } from './driver';

export const offDriver: SandboxDriver = {
  name: 'off',
  entry: null,
  isSupervised: false,
  hasOwnNetwork: false,
  isHeldByKernel: false,
  async prepare({ file, command, args, cwd, environment, input }) {
    return {
      plan: { file, argv0: command, args, cwd, environment, input, hasChannel: false },
      release: nothing,
    };
  },
};

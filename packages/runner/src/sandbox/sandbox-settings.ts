import { isAbsolute, join, resolve } from 'node:path';
import { DRIVERS, type SandboxLimits, type SandboxSettings } from '@switchyard/sandbox';
import { commaSeparated, EnvironmentError, wholeNumber } from '@switchyard/server/environment';
import { z } from 'zod';
import { closedPlaces } from './closed-places';

export const sandboxEnvironment = {
  SANDBOX: z
    .enum(['auto', ...DRIVERS])
    .default('auto')
    .describe(
      '`bwrap`, `landlock`, `seatbelt`, or `auto` for the strongest that works; `off` only in local mode',
    ),
  SANDBOX_READ_ONLY: commaSeparated
    .default([])
    .refine((paths) => paths.every((path) => isAbsolute(path)), 'must list absolute paths')
    .describe(
      'additional folders and files that agents may read; not DATA_DIR, the checkout, WORKSPACE_ROOTS, a HOME or a `.env`',
    ),
  SANDBOX_MAX_PROCESSES: wholeNumber(0, 1_000_000)
    .default(2_048)
    .describe('processes and threads per run; 0, or as root: no limit'),
  SANDBOX_TEMPORARY_MIB: wholeNumber(0, 1_000_000)
    .default(2_048)
    .describe(
      'MiB of `/tmp` per run: memory under `bwrap` (at most a quarter of the machine’s), disk under `landlock` (0: no limit)',
    ),
  SANDBOX_WORKSPACE_MIB: wholeNumber(0, 100_000_000)
    .default(32_768)
    .describe(
      'MiB that a run may write to its working directory, and the same to its HOME; measured after a loss of that much disk space; 0: no limit',
    ),
  SANDBOX_CONTROL_GROUP: z
    .string()
    .refine((path) => isAbsolute(path), 'must be an absolute path')
    .optional()
    .describe(
      'folder of a control group (version 2) that is delegated to the runner; each run gets a group in it',
    ),
  SANDBOX_MEMORY_MIB: wholeNumber(0, 100_000_000)
    .default(0)
    .describe('MiB of memory per run, with SANDBOX_CONTROL_GROUP; 0: no limit'),
};

const schema = z.object({
  ...sandboxEnvironment,
  DATA_DIR: z.string(),
  PATH: z.string().optional(),
  HOME: z.string().optional(),
  WORKSPACE_ROOTS: z.array(z.string()),
});

const MEBIBYTE = 2 ** 20;

export const MAX_FILE_BYTES = 16 * 2 ** 30;
export const MAX_WATCHERS = 16;

export interface ConfinementSettings {
  open: SandboxSettings;
  readOnly: readonly string[];
  limits: SandboxLimits;
}

export function sandboxSettings(
  env: z.output<typeof schema>,
  isAuthenticated: boolean,
): ConfinementSettings {
  const { HOME: home, DATA_DIR: dataDir, WORKSPACE_ROOTS: workspaceRoots } = env;
  const places = closedPlaces({ home, dataDir: resolve(dataDir), workspaceRoots });
  const refused = env.SANDBOX_READ_ONLY.find(places.isRefused);
  if (refused !== undefined) {
    throw new EnvironmentError(
      `The environment is not usable:\n  SANDBOX_READ_ONLY: ${refused} must not overlap with DATA_DIR, the checkout or the workspace folders of several companies. It must not contain a home folder or a .env file.`,
    );
  }
  return {
    open: {
      wanted: env.SANDBOX,
      mayBeOff: !isAuthenticated,
      path: env.PATH,
      cacheFolder: join(resolve(env.DATA_DIR), 'sandbox'),
      ...(env.SANDBOX_CONTROL_GROUP !== undefined && {
        controlGroup: {
          folder: env.SANDBOX_CONTROL_GROUP,
          memoryBytes: env.SANDBOX_MEMORY_MIB * MEBIBYTE,
        },
      }),
    },
    readOnly: env.SANDBOX_READ_ONLY,
    limits: {
      processes: env.SANDBOX_MAX_PROCESSES,
      openFiles: 0,
      fileBytes: MAX_FILE_BYTES,
      watchers: MAX_WATCHERS,
      temporaryBytes: env.SANDBOX_TEMPORARY_MIB * MEBIBYTE,
      workspaceBytes: env.SANDBOX_WORKSPACE_MIB * MEBIBYTE,
    },
  };
}

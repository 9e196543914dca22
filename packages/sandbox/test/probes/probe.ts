import type { Victims } from '../victims';

export const CALLS = {
  x64: {
    ...{ prctl: 157, ptrace: 101, unshare: 272, mount: 165, add_key: 248, prlimit64: 302 },
    ...{
      setxattr: 188,
      removexattr: 197,
      utimensat: 280,
      fchownat: 260,
      mknodat: 259,
      ioctl: 16,
      seccomp: 317,
      ioprioSet: 251,
      inotifyInit: 294,
      inotifyAddWatch: 254,
    },
  },
  arm64: {
    ...{ prctl: 167, ptrace: 117, unshare: 97, mount: 40, add_key: 217, prlimit64: 261 },
    ...{
      setxattr: 5,
      removexattr: 14,
      utimensat: 88,
      fchownat: 54,
      mknodat: 33,
      ioctl: 29,
      seccomp: 277,
      ioprioSet: 30,
      inotifyInit: 26,
      inotifyAddWatch: 27,
    },
  },
}[process.arch as 'x64' | 'arm64'];

export const PRCTL = CALLS.prctl;
export const IOPRIO_SET = CALLS.ioprioSet;

export const NEW_USER = 0x10000000;
export const NEW_USER_AND_MOUNTS = 0x10020000;
export const SEIZE = 0x4206;
export const SESSION_KEYRING = -3;
export const FAST_OPEN = 0x20000000;
export const CHMODAT2 = 452;
export const PATH_ONLY = 0o10000000;
export const EMPTY_PATH = 0x1000;
export const HERE = -100;
export const SET_FLAGS = 0x40086602;
export const GET_FLAGS = 0x80086601;

export interface Probe {
  name: string;
  script(victims: Victims, parent: number): string;
  limits?: { processes?: number; fileBytes?: number; watchers?: number; temporaryBytes?: number };
  /** The kernel allows this action to root. */
  isOpenToRoot?: true;
  isVisited?: true;
}

import { existsSync, lstatSync, readlinkSync } from 'node:fs';
import { dirname } from 'node:path';

/** `/nix` and `/gnu` contain all programs of NixOS and Guix. */
const PROGRAMS = ['/usr', '/nix/store', '/gnu/store'];
const PROGRAM_LINKS = ['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'];

const SETTINGS = [
  'alternatives',
  'bash.bashrc',
  'ca-certificates',
  'ca-certificates.conf',
  'crypto-policies',
  'debian_version',
  'environment',
  'fonts',
  'gai.conf',
  'gitconfig',
  'group',
  'host.conf',
  'hosts',
  'inputrc',
  'java',
  'ld.so.cache',
  'ld.so.conf',
  'ld.so.conf.d',
  'locale.alias',
  'locale.conf',
  'localtime',
  'lsb-release',
  'magic',
  'mime.types',
  'nsswitch.conf',
  'os-release',
  'passwd',
  'pki',
  'profile',
  'profile.d',
  'protocols',
  'resolv.conf',
  'services',
  'shells',
  'ssh/ssh_config',
  'ssh/ssh_config.d',
  'ssh/ssh_known_hosts',
  'ssl',
  'terminfo',
  'timezone',
  'xattr.conf',
].map((name) => `/etc/${name}`);

const DEVICES = ['null', 'zero', 'full', 'random', 'urandom', 'tty'].map((name) => `/dev/${name}`);

const MACHINE = [
  'cpuinfo',
  'filesystems',
  'loadavg',
  'meminfo',
  'stat',
  'sys',
  'uptime',
  'version',
].map((name) => `/proc/${name}`);

export interface SystemFolders {
  readOnly: string[];
  settings: string[];
  links: { path: string; target: string }[];
  devices: string[];
  machine: string[];
}

export function systemFolders(): SystemFolders {
  const links = PROGRAM_LINKS.filter(isLink).map((path) => ({ path, target: readlinkSync(path) }));
  const folders = PROGRAM_LINKS.filter((path) => existsSync(path) && !isLink(path));
  const node = dirname(dirname(process.execPath));
  return {
    readOnly: [
      ...[...PROGRAMS, ...folders].filter((path) => existsSync(path)),
      ...(PROGRAMS.some((folder) => `${node}/`.startsWith(`${folder}/`)) ? [] : [node]),
    ],
    settings: SETTINGS.filter((path) => existsSync(path)),
    links,
    devices: DEVICES,
    machine: MACHINE,
  };
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}
